/** The manifests of deploy/k8s, from the registry of apps and their settings. */
import { type AppName, appNames } from '@store/contract';
import { stringify } from 'yaml';
import { installation, topicsConfig } from './installation.ts';
import { jobPolicy, policyOf, relayPolicy } from './network.ts';
import { certificatesPath, imageOf } from './pods.ts';
import {
  autoscaling,
  configMapOf,
  configOf,
  deployment,
  migrationJob,
  relayBudget,
  relayDeployment,
  relayOf,
  service,
} from './workloads.ts';

export const overlays = ['dev', 'production'] as const;
type Overlay = (typeof overlays)[number];

const head = '# Written by deploy/k8s/generate.ts.\n';
const documents = (...objects: object[]) =>
  head + objects.map((one) => stringify(one, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n');

const kustomization = (fields: object) => documents({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', ...fields });

const literals = (config: Record<string, string>) => Object.entries(config).map(([name, value]) => `${name}=${value}`);

function baseOf(app: AppName): Record<string, string> {
  return {
    'deployment.yaml': documents(deployment(app)),
    'service.yaml': documents(service(app)),
    'autoscaling.yaml': documents(...autoscaling(app)),
    'network.yaml': documents(policyOf(app), jobPolicy(app, `${app}-migration`, 'migration', 'postgresql')),
    'migration.yaml': documents(migrationJob(app)),
    'relay.yaml': documents(relayDeployment(app), relayBudget(app), relayPolicy(app)),
    'kustomization.yaml': kustomization({
      resources: ['deployment.yaml', 'service.yaml', 'autoscaling.yaml', 'network.yaml', 'migration.yaml', 'relay.yaml'],
      // Its name has a hash of its content: a changed setting is a rollout, and is rolled back with the rest.
      configMapGenerator: [{ name: configMapOf(app), literals: literals(configOf(app)) }],
    }),
  };
}

function baseOfInstallation(): Record<string, string> {
  const files = installation();
  const names = Object.keys(files).map((name) => `${name}.yaml`);
  return {
    ...Object.fromEntries(Object.entries(files).map(([name, objects]) => [`${name}.yaml`, documents(...objects)])),
    'kustomization.yaml': kustomization({
      resources: names,
      configMapGenerator: [{ name: 'store-topics', literals: literals(topicsConfig) }],
    }),
  };
}

/** The release writes the registry and the digest of each image here: `kustomize edit set image`. */
const imagesOf = (overlay: Overlay, app: AppName) => [
  overlay === 'production'
    ? { name: imageOf(app), newName: `registry.example.com/${imageOf(app)}`, digest: `sha256:${'0'.repeat(64)}` }
    : { name: imageOf(app), newTag: 'dev' },
];

/** One pod of each, which may be evicted. */
const smallOf = (app: AppName) => [
  {
    target: { kind: 'HorizontalPodAutoscaler', name: app },
    patch: stringify([
      { op: 'replace', path: '/spec/minReplicas', value: 1 },
      { op: 'replace', path: '/spec/maxReplicas', value: 1 },
    ]),
  },
  {
    target: { kind: 'Deployment', name: relayOf(app) },
    patch: stringify([{ op: 'replace', path: '/spec/replicas', value: 1 }]),
  },
  {
    target: { kind: 'PodDisruptionBudget' },
    patch: stringify([{ op: 'replace', path: '/spec/minAvailable', value: 0 }]),
  },
];

const kafkaSecured = { KAFKA_SSL: 'true', KAFKA_SASL_MECHANISM: 'scram-sha-512' };
const tlsBetweenApps = {
  GRPC_TLS_CERT: `${certificatesPath}/tls.crt`,
  GRPC_TLS_KEY: `${certificatesPath}/tls.key`,
  GRPC_TLS_CA: `${certificatesPath}/ca.crt`,
};

/** Settings in which an overlay differs from the base. */
const settingsOf = (overlay: Overlay, app: AppName): Record<string, string> => {
  if (overlay === 'dev') return { LOG_LEVEL: 'debug' };
  const secured = { ...kafkaSecured, ...tlsBetweenApps };
  return app === 'gateway' || app === 'webhooks' ? { ...secured, PUBLIC_URL: 'https://api.example.com' } : secured;
};

function overlayOf(overlay: Overlay, app: AppName): Record<string, string> {
  return {
    'kustomization.yaml': kustomization({
      namespace: 'store',
      resources: [`../../../base/${app}`, ...(overlay === 'production' && app === 'gateway' ? ['ingress.yaml'] : [])],
      images: imagesOf(overlay, app),
      configMapGenerator: [{ name: configMapOf(app), behavior: 'merge', literals: literals(settingsOf(overlay, app)) }],
      ...(overlay === 'dev' && { patches: smallOf(app) }),
    }),
  };
}

function overlayOfInstallation(overlay: Overlay): Record<string, string> {
  const merged = overlay === 'production' && {
    configMapGenerator: [{ name: 'store-topics', behavior: 'merge', literals: literals(kafkaSecured) }],
  };
  return {
    'kustomization.yaml': kustomization({
      namespace: 'store',
      resources: ['../../../base/installation'],
      images: imagesOf(overlay, 'catalog'),
      ...merged,
    }),
  };
}

/** TLS ends at the ingress controller, which is the one proxy that TRUSTED_PROXIES counts. */
const ingress = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: {
    name: 'gateway',
    annotations: { 'nginx.ingress.kubernetes.io/proxy-buffering': 'off', 'nginx.ingress.kubernetes.io/proxy-body-size': '8m' },
  },
  spec: {
    ingressClassName: 'nginx',
    tls: [{ hosts: ['api.example.com'], secretName: 'store-api-tls' }],
    rules: [
      {
        host: 'api.example.com',
        http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'gateway', port: { name: 'http' } } } }] },
      },
    ],
  },
};

const within = (folder: string, files: Record<string, string>) =>
  Object.entries(files).map(([name, text]): [string, string] => [`${folder}/${name}`, text]);

/** Folders that hold nothing else. */
export const writtenFolders = ['base', 'overlays'];

/** Text of every file, by its path below deploy/k8s. */
export function manifests(): Map<string, string> {
  const folders = ['installation', ...appNames];
  return new Map([
    ...within('base/installation', baseOfInstallation()),
    ...appNames.flatMap((app) => within(`base/${app}`, baseOf(app))),
    ...overlays.flatMap((overlay) => [
      ...within(`overlays/${overlay}`, { 'kustomization.yaml': kustomization({ resources: folders }) }),
      ...within(`overlays/${overlay}/installation`, overlayOfInstallation(overlay)),
      ...appNames.flatMap((app) => within(`overlays/${overlay}/${app}`, overlayOf(overlay, app))),
    ]),
    ['overlays/production/gateway/ingress.yaml', documents(ingress)],
  ]);
}
