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
    const method = httpMethod === 'HEAD' ? 'GET' : httpMethod;
    const found = find(this.#root, segments, ({ ends }) => ends.has(method));
    if (!found) return undefined;
    const { endpoint, names } = found.node.ends.get(method)!;
    return { endpoint, params: Object.fromEntries(names.map((name, index) => [name, found.values[index]!])) };
  }

  /** Methods of a path, for OPTIONS, of the most literal route; `forKey`: those that a key may call. Empty: no endpoint has the path. */
  httpMethods(segments: string[], { forKey = false } = {}): string[] {
    const ends = find(this.#root, segments, (node) => node.ends.size > 0)?.node.ends;
    if (!ends) return [];
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

/** The most literal node that matches the path and fits, with the values of its parameters. */
function find(node: Node, segments: string[], fits: (node: Node) => boolean, depth = 0, values: string[] = []): Found | undefined {
  if (depth === segments.length) return fits(node) ? { node, values } : undefined;
  const segment = segments[depth]!;
  const literal = node.literals.get(segment);
  const found = literal && find(literal, segments, fits, depth + 1, values);
  if (found || !node.parameter || segment === '') return found;
  return find(node.parameter, segments, fits, depth + 1, [...values, segment]);
}

interface Found {
  node: Node;
  values: string[];
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
