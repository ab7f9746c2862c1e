/** Who reaches whom by the NetworkPolicies together, held to the registry of apps: a connection needs the policies of both ends. */
import { expect, test } from '@jest/globals';
import { type AppName, appNames, apps, callersOf, doorsOf } from '@store/contract';
import { blockedIpv4, blockedIpv6, publicIpv6 } from '../../apps/webhooks/src/receivers/classify-address.ts';
import { describeRendered, type Manifest, rendered, unlessKubectl } from './rendered.ts';

const objects = rendered('overlays/production');
const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
const labelsByName = new Map<string, Record<string, string>>(
  objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map(({ metadata, spec }) => [metadata.name, spec.template.metadata.labels]),
);

function selects({ matchLabels = {}, matchExpressions = [] }: Manifest, labels: Record<string, string>): boolean {
  const unknown = matchExpressions.find(({ operator }: Manifest) => operator !== 'In');
  if (unknown) throw new Error(`This test knows no operator ${unknown.operator}.`);
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, values }: Manifest) => values.includes(labels[key]))
  );
}

/** Pods by their name; others by the role of their namespace and by their name there. */
function peersOf(peer: Manifest): string[] {
  if (peer.ipBlock) return ['the internet'];
  if (!peer.namespaceSelector) return [...labelsByName].filter(([, labels]) => selects(peer.podSelector, labels)).map(([name]) => name);
  const namespace = Object.values(peer.namespaceSelector.matchLabels).join();
  return [[namespace, ...Object.values(peer.podSelector?.matchLabels ?? {})].join('/')];
}

/** `<peer> <port>` of all that the policies of a workload allow; a rule without ports allows all. */
function allowed(name: string, side: 'ingress' | 'egress'): Set<string> {
  const own = policies.filter(({ spec }) => selects(spec.podSelector, labelsByName.get(name)!));
  const rules = own.flatMap(({ spec }) => spec[side] ?? []);
  return new Set(
    rules.flatMap(({ from, to, ports = [{ port: 'any' }] }: Manifest) =>
      (from ?? to).flatMap(peersOf).flatMap((peer: string) => ports.map(({ port }: Manifest) => `${peer} ${port}`)),
    ),
  );
}

const outside = (name: string, side: 'ingress' | 'egress') =>
  [...allowed(name, side)].filter((one) => !labelsByName.has(one.split(' ')[0]!)).sort();

const dns = ['kube-system/kube-dns 53'];
const postgresql = ['data/postgresql 5432'];
const kafka = ['data/kafka 9092'];
const collector = ['monitoring/opentelemetry-collector 4318'];
const portsOf = (app: AppName) => (app === 'gateway' ? [apps.gateway.port] : doorsOf(app).map(({ port }) => port));

describeRendered(`the network${unlessKubectl}`, () => {
  test('is closed in both directions to every pod that no other policy names', () => {
    const { spec } = policies.find(({ metadata }) => metadata.name === 'default-deny');
    expect(spec).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    for (const { spec: one } of policies)
      for (const side of ['ingress', 'egress'])
        expect(side in one && !one.policyTypes.map((type: string) => type.toLowerCase()).includes(side)).toBe(false);
  });

  test.each(appNames)('lets %s be called by its callers alone, at its own ports', (app) => {
    const callers = app === 'gateway' ? [] : callersOf(app);
    const connections = [...allowed(app, 'ingress')].filter((one) => {
      const [caller, port] = one.split(' ');
      const sent = labelsByName.has(caller!) ? allowed(caller!, 'egress') : new Set<string>();
      return sent.has(`${app} ${port}`) || sent.has(`${app} any`);
    });
    expect(connections.sort()).toEqual(callers.flatMap((caller) => portsOf(app).map((port) => `${caller} ${port}`)).sort());
  });

  test.each(appNames)('lets Prometheus reach %s from outside, and the ingress controller the gateway', (app) => {
    const ingress = app === 'gateway' ? [`ingress ${apps.gateway.port}`] : [];
    expect(outside(app, 'ingress')).toEqual([...ingress, 'monitoring 9090']);
  });

  test.each(appNames)('lets %s, its relay and its migration reach the servers that they work on', (app) => {
    const more = { gateway: ['data/redis 6379'], webhooks: ['the internet 1024', 'the internet 443'] }[app as string] ?? [];
    expect(outside(app, 'egress')).toEqual([...dns, ...postgresql, ...kafka, ...collector, ...more].sort());
    expect([...allowed(`${app}-relay`, 'egress')].sort()).toEqual([...dns, ...postgresql, ...kafka, ...collector].sort());
    expect([...allowed(`${app}-relay`, 'ingress')]).toEqual(['monitoring 9090']);
    expect([...allowed(`${app}-migration`, 'egress')].sort()).toEqual([...dns, ...postgresql].sort());
  });

  test('lets each Job reach the one server that it works on, and no pod reach a Job', () => {
    expect([...allowed('roles', 'egress')].sort()).toEqual([...dns, ...postgresql].sort());
    expect([...allowed('topics', 'egress')].sort()).toEqual([...dns, ...kafka].sort());
    for (const name of ['roles', 'topics', ...appNames.map((app) => `${app}-migration`)]) expect([...allowed(name, 'ingress')]).toEqual([]);
  });

  test("lets webhooks reach no address that the app's own guard blocks", () => {
    const [peers] = policies
      .flatMap(({ spec }) => spec.egress ?? [])
      .map(({ to }) => to)
      .filter((to) => to[0].ipBlock);
    expect(peers).toEqual([
      { ipBlock: { cidr: '0.0.0.0/0', except: blockedIpv4 } },
      { ipBlock: { cidr: publicIpv6, except: blockedIpv6 } },
    ]);
  });

  test('names each server in one policy', () => {
    for (const server of ['kube-dns', 'postgresql', 'kafka', 'redis', 'opentelemetry-collector'])
      expect([server, policies.filter((policy) => JSON.stringify(policy).includes(`"${server}"`)).length]).toEqual([server, 1]);
  });
});
