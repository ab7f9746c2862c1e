/** Who may talk to whom: nobody, but for what the registry of apps and the list of public addresses say. */
import { type AppName, apps, callersOf } from '@store/contract';
import { blockedIpv4, blockedIpv6, publicIpv6 } from '../../apps/webhooks/src/deliveries/classify-address.ts';
import { type Component, labelsOf, metadataOf } from './pods.ts';
import { healthPort } from './settings.ts';
import { portsOf, relayOf } from './workloads.ts';

/** Ports of what the product stands on; an overlay changes them where they are others. */
const dataPorts = { postgresql: 5_432, kafka: 9_092, redis: 6_379 };
type Data = keyof typeof dataPorts;

/** A namespace is let in by the label store-role that it is given: data, ingress or monitoring. */
const namespaceOf = (role: string) => ({ namespaceSelector: { matchLabels: { 'store-role': role } } });
const podsOf = (name: string, component: Component = 'service') => ({ podSelector: { matchLabels: labelsOf(name, component) } });
const tcp = (...ports: number[]) => ports.map((port) => ({ protocol: 'TCP', port }));

const toDns = {
  to: [
    {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
      podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
    },
  ],
  ports: [
    { protocol: 'UDP', port: 53 },
    { protocol: 'TCP', port: 53 },
  ],
};

const toData = (data: Data) => ({
  to: [{ ...namespaceOf('data'), podSelector: { matchLabels: { 'app.kubernetes.io/name': data } } }],
  ports: tcp(dataPorts[data]),
});

/** Takes traces by OTLP over HTTP; nothing is opened where no pod has the label. */
const toCollector = {
  to: [{ ...namespaceOf('monitoring'), podSelector: { matchLabels: { 'app.kubernetes.io/name': 'opentelemetry-collector' } } }],
  ports: tcp(4_318),
};

/** The second wall behind the address guard of webhooks: what it blocks cannot be reached from its pods. */
const toReceivers = {
  to: [{ ipBlock: { cidr: '0.0.0.0/0', except: blockedIpv4 } }, { ipBlock: { cidr: publicIpv6, except: blockedIpv6 } }],
  ports: [
    { protocol: 'TCP', port: 443 },
    { protocol: 'TCP', port: 1_024, endPort: 65_535 },
  ],
};

function policy(name: string, labels: object, spec: { ingress: object[]; egress: object[] }): object {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadataOf(name, labels),
    spec: { podSelector: { matchLabels: labels }, policyTypes: ['Ingress', 'Egress'], ...spec },
  };
}

export const defaultDeny = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'default-deny' },
  spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] },
};

const numbersOf = (app: AppName) => portsOf(app).map(({ port }) => port);

export function policyOf(app: AppName): object {
  const from = app === 'gateway' ? [namespaceOf('ingress')] : callersOf(app).map((caller) => podsOf(caller));
  const called = apps[app].calls as readonly AppName[];
  return policy(app, labelsOf(app, 'service'), {
    ingress: [
      ...(from.length > 0 ? [{ from, ports: tcp(...numbersOf(app)) }] : []),
      { from: [namespaceOf('monitoring')], ports: tcp(healthPort) },
    ],
    egress: [
      toDns,
      toData('postgresql'),
      toData('kafka'),
      toCollector,
      ...(app === 'gateway' ? [toData('redis')] : []),
      ...called.map((name) => ({ to: [podsOf(name)], ports: tcp(...numbersOf(name)) })),
      ...(app === 'webhooks' ? [toReceivers] : []),
    ],
  });
}

/** A relay reads its outbox and publishes; nobody calls it. */
export const relayPolicy = (app: AppName): object =>
  policy(relayOf(app), labelsOf(app, 'relay'), {
    ingress: [{ from: [namespaceOf('monitoring')], ports: tcp(healthPort) }],
    egress: [toDns, toData('postgresql'), toData('kafka'), toCollector],
  });

/** A job reaches the one server that it works on. */
export const jobPolicy = (app: AppName, name: string, component: Component, data: Data): object =>
  policy(name, labelsOf(app, component), { ingress: [], egress: [toDns, toData(data)] });
