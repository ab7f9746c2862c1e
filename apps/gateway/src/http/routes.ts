import { type Endpoint, endpoints, type Refusal, refusals } from '@store/contract';

export interface Match {
  endpoint: Endpoint;
  params: Record<string, string>;
}

interface Node {
  literals: Map<string, Node>;
  parameter: Node | undefined;
  /** Endpoints that end here, by HTTP method, with the names of the path parameters. */
  ends: Map<string, { endpoint: Endpoint; names: string[] }>;
}

export class Routes {
  readonly #root: Node = emptyNode();
  readonly #refusals: Refusal[];
  readonly served: Endpoint[];

  /** `apps`: the running services; endpoints of other services do not exist. */
  constructor(apps: Set<string>) {
    this.#refusals = refusals();
    this.served = endpoints().filter((endpoint) => apps.has(endpoint.app));
    for (const endpoint of this.served) this.#add(endpoint);
  }

  /** The endpoint of an HTTP method and a path; a literal segment wins over a parameter. */
  match(httpMethod: string, segments: string[]): Match | undefined {
    return find(this.#root, segments, 0, httpMethod === 'HEAD' ? 'GET' : httpMethod);
  }

  /** Methods of a path, for OPTIONS, of the most literal route; `forKey`: those that a key may call. Empty: no endpoint has the path. */
  httpMethods(segments: string[], { forKey = false } = {}): string[] {
    const ends = exact(this.#root, segments, 0)?.ends;
    if (!ends?.size) return [];
    const mayCall = (httpMethod: string) => ends.has(httpMethod) && !(forKey && ends.get(httpMethod)!.endpoint.access.staffOnly);
    const found = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(mayCall);
    return [...(found[0] === 'GET' ? ['GET', 'HEAD', ...found.slice(1)] : found), 'OPTIONS'];
  }

  /** The rule that refuses every write of a key below this path, whether the route exists or not (D176). */
  refusal(segments: string[]): Refusal['rule'] | undefined {
    return this.#refusals.find(({ prefix }) =>
      prefix.every((part, index) => (part === '*' ? segments.length > index : part === segments[index])),
    )?.rule;
  }

  #add(endpoint: Endpoint): void {
    let node = this.#root;
    const names: string[] = [];
    for (const segment of endpoint.path.split('/').slice(1)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name !== undefined) {
        names.push(name);
        node.parameter ??= emptyNode();
        node = node.parameter;
      } else {
        const next = node.literals.get(segment) ?? emptyNode();
        node.literals.set(segment, next);
        node = next;
      }
    }
    node.ends.set(endpoint.httpMethod, { endpoint, names });
  }
}

function emptyNode(): Node {
  return { literals: new Map(), parameter: undefined, ends: new Map() };
}

function find(node: Node, segments: string[], depth: number, httpMethod: string, values: string[] = []): Match | undefined {
  if (depth === segments.length) {
    const end = node.ends.get(httpMethod);
    return end && { endpoint: end.endpoint, params: Object.fromEntries(end.names.map((name, index) => [name, values[index]!])) };
  }
  const segment = segments[depth]!;
  const literal = node.literals.get(segment);
  const found = literal && find(literal, segments, depth + 1, httpMethod, values);
  if (found || !node.parameter || segment === '') return found;
  return find(node.parameter, segments, depth + 1, httpMethod, [...values, segment]);
}

function exact(node: Node, segments: string[], depth: number): Node | undefined {
  if (depth === segments.length) return node.ends.size > 0 ? node : undefined;
  const literal = node.literals.get(segments[depth]!);
  const found = literal && exact(literal, segments, depth + 1);
  if (found || !node.parameter || segments[depth] === '') return found;
  return exact(node.parameter, segments, depth + 1);
}

/** Decoded segments of a path below /api/v1; a segment that cannot be decoded stays unchanged and matches nothing. */
export function segmentsOf(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((segment) => {
      try {
        return decodeURIComponent(segment);
      } catch {
        return segment;
      }
    });
}
