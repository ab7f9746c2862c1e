import protobuf from 'protobufjs';
import { demandStreamable, isCapped, type PagedList, pagedList } from './answer-lists.ts';
import { type Deprecation, deprecationOf } from './deprecation.ts';
import { declared, optionsOf, repeatedOption, root } from './load.ts';
import { namesOnRequest } from './on-request.ts';

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** Roles of staff; each may do what those before it may. */
export const rankOfRole = { clerk: 1, manager: 2, admin: 3 } as const;
export type Role = keyof typeof rankOfRole;

export interface Endpoint {
  /** Full gRPC path, such as /store.catalog.v1.Catalog/ListProducts. */
  rpc: string;
  /** App that answers it: the second part of the proto package. */
  app: string;
  rpcName: string;
  httpMethod: HttpMethod;
  /** Relative to /api/v1, such as /products/{id}. */
  path: string;
  access: Access;
  /** Status of success when the service sets none. */
  success: number;
  deadlineMs: number;
  /** One request can change many records, with an event for each. */
  bulk: boolean;
  bodyBytesMax: number;
  /** Shape of the 422: errors, fields, bulk or message. */
  invalidShape: string;
  /** Of an endpoint that is announced to leave. */
  deprecation?: Deprecation;
  example?: string;
  /** Sets what a record has, and not if that has another version than If-Match names (D285). */
  takesIfMatch: boolean;
  alsoStatus: number[];
  answerExamples: AnswerExample[];
  description: string;
  request: protobuf.Type;
  response: protobuf.Type;
  /** The answer is streamed: a head and then the items of the response's last field, the only repeated one. */
  streams: boolean;
  /** The answer holds a list that ends at a limit: the header X-Truncated says when there is more. */
  cuts: boolean;
  /** Fields that the answer has only where the parameter `include` names them; empty: there is no such parameter. */
  onRequest: string[];
  /** Of a list in pages. */
  list?: PagedList;
  /** What GET answers of the record that is read or changed here: it has an ETag, and the change takes If-Match (D285). */
  record?: protobuf.Type;
}

interface AnswerExample {
  status: number;
  name: string;
  body: string;
}

/** A group of endpoints: those whose path begins with a segment. */
export interface Resource {
  path: string;
  title: string;
  description: string;
}

export interface EventKind {
  name: string;
  resourceType: string;
  /** Full name of the message in `data`; empty: the id alone. */
  data: string;
  description: string;
  /** Read scope that shows the event to a key (D130). */
  scope: string;
}

export interface Access {
  /** Scope a key must hold; empty: any key. */
  scope: string;
  staffOnly: boolean;
  keyOnly: boolean;
  /** The request's `password` must be the calling staff member's own. */
  passwordAgain: boolean;
  /** The calling staff member gave the password within the last 10 minutes (D261). */
  passwordLately: boolean;
  /** Open to staff of whom a second factor is demanded before they have one (D262). */
  withoutSecondFactor: boolean;
  public: boolean;
  /** Lowest staff role; empty: staff do not have the endpoint, or nobody needs a role. */
  role: Role | '';
  /** Plan features the store must have, in the order in which they are checked. */
  features: string[];
  /** Takes ?dry_run=true: what a key may POST or PATCH, except where trying means nothing (D202), and of staff's what has staff_dry_run. */
  dryRun: boolean;
}

export interface Refusal {
  /** Segments of the prefix; `*` matches any one segment. */
  prefix: string[];
  rule: 'READ_ONLY' | 'LOYALTY_POINTS';
}

const deadlineDefaultMs = 5_000;
/** For endpoints without body_limit (D199). */
const bodyBytesDefault = 256 * 1024;
const publicBodyBytesDefault = 16 * 1024;

const services = (): protobuf.Service[] => declared(protobuf.Service);

/** Every endpoint with the HTTP methods it answers; PUT beside PATCH is an endpoint of its own. */
export function endpoints(): Endpoint[] {
  const all = services().flatMap((service) => service.methodsArray.flatMap((method) => endpointsOf(service, method)));
  for (const one of all) {
    const isChanged = all.some(({ httpMethod, path }) => httpMethod === 'PATCH' && path === one.path);
    if (one.httpMethod === 'GET' && isChanged && one.response.fieldsArray.length === 1) {
      for (const other of all) if (isOfRecord(other, one)) other.record = one.response;
    }
  }
  for (const one of all) one.takesIfMatch &&= one.record !== undefined;
  return all;
}

/** What has the record's own address, or changes a part of it under that address and answers with all of it. */
function isOfRecord({ httpMethod, path, response, takesIfMatch }: Endpoint, record: Endpoint): boolean {
  if (path === record.path) return httpMethod !== 'DELETE';
  return takesIfMatch && path.startsWith(`${record.path}/`) && response === record.response;
}

function endpointsOf(service: protobuf.Service, method: protobuf.Method): Endpoint[] {
  const options = optionsOf(method);
  const http = options.http as Record<string, string> | undefined;
  if (!http) return [];
  const access = (options.access ?? {}) as Record<string, unknown>;
  return Object.entries(http).map(([rule, path]) => {
    const httpMethod = rule.replace('also_', '').toUpperCase() as HttpMethod;
    return {
      rpc: `/${service.fullName.slice(1)}/${method.name}`,
      app: service.fullName.split('.')[2]!,
      rpcName: method.name,
      httpMethod,
      path,
      access: {
        scope: (access.scope as string) ?? '',
        staffOnly: access.staff_only === true,
        keyOnly: access.key_only === true,
        passwordAgain: access.password_again === true,
        passwordLately: access.password_lately === true,
        withoutSecondFactor: access.without_second_factor === true,
        public: access.public === true,
        role: demandRole(method, access),
        features: [(access.feature as string | string[] | undefined) ?? []].flat(),
        dryRun: takesDryRun(httpMethod, access),
      },
      success: (access.success as number) ?? 200,
      deadlineMs: (options.deadline_ms as number) ?? deadlineDefaultMs,
      bulk: options.bulk === true,
      bodyBytesMax: (options.body_limit as number) ?? (access.public === true ? publicBodyBytesDefault : bodyBytesDefault),
      invalidShape: (options.invalid_shape as string) ?? 'errors',
      deprecation: deprecationOf(options.deprecated_since as string | undefined),
      takesIfMatch: options.takes_if_match === true || httpMethod === 'PATCH' || httpMethod === 'PUT',
      example: options.example as string | undefined,
      alsoStatus: repeatedOption<number>(method, 'also_status'),
      answerExamples: repeatedOption<AnswerExample>(method, 'answer_example'),
      description: method.comment ?? '',
      request: method.resolvedRequestType!,
      response: method.resolvedResponseType!,
      streams: demandStreamable(method),
      onRequest: namesOnRequest(method.resolvedResponseType!),
      list: pagedList(method),
      cuts: isCapped(method, httpMethod, path),
    };
  });
}

/** Each endpoint of staff names its role (D177): a forgotten one must not open it to clerks. */
function demandRole(method: protobuf.Method, access: Record<string, unknown>): Access['role'] {
  const role = (access.role as string | undefined) ?? '';
  const isStaffs = access.public !== true && access.key_only !== true;
  if (isStaffs ? role in rankOfRole : role === '') return role as Access['role'];
  throw new Error(
    `${method.fullName}: ${isStaffs ? 'access names no role: clerk, manager or admin' : 'staff do not have it, so it has no role'}`,
  );
}

function takesDryRun(httpMethod: HttpMethod, access: Record<string, unknown>): boolean {
  if (access.staff_only) return access.staff_dry_run === true;
  return !access.public && !access.no_dry_run && ['POST', 'PATCH', 'PUT'].includes(httpMethod);
}

/** Families of paths on which a key's every write is refused (Rules 2 and 5). */
export function refusals(): Refusal[] {
  return services().flatMap((service) =>
    repeatedOption<{ prefix: string; rule: Refusal['rule'] }>(service, 'refuse_key_writes').map((refusal) => ({
      prefix: refusal.prefix.split('/'),
      rule: refusal.rule,
    })),
  );
}

export function resources(): Resource[] {
  return services().flatMap((service) => repeatedOption<Resource>(service, 'resource'));
}

export function eventKinds(): EventKind[] {
  return services().flatMap((service) =>
    repeatedOption<Omit<EventKind, 'resourceType' | 'data'> & { resource_type: string; data?: string }>(service, 'event').map(
      ({ resource_type: resourceType, data = '', ...kind }) => ({ ...kind, resourceType, data }),
    ),
  );
}

export function messageType(name: string): protobuf.Type {
  return root.lookupType(name);
}

/** The answer of an rpc. */
export interface Answers {
  response: protobuf.Type;
  /** HTTP status of success when the verb sets none. */
  success: number;
  bulk: Endpoint['bulk'];
}

const answersByRpc = new Map<string, Answers>();

/** What the rpc of that full path, such as /store.catalog.v1.Catalog/CreateBrand, answers with. */
export function answersOf(rpc: string): Answers {
  let answers = answersByRpc.get(rpc);
  if (!answers) {
    const [, service = '', name = ''] = rpc.split('/');
    const method = root.lookupService(service).methods[name];
    if (!method) throw new Error(`no proto declares the rpc ${rpc}`);
    const { access, bulk } = optionsOf(method) as { access?: { success?: number }; bulk?: boolean };
    answers = { response: method.resolvedResponseType!, success: access?.success ?? 200, bulk: bulk === true };
    answersByRpc.set(rpc, answers);
  }
  return answers;
}
