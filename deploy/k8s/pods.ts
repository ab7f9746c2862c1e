/** What every pod has, whatever runs in it. */
import type { AppName } from '@store/contract';

export type Component = 'service' | 'relay' | 'migration' | 'topics' | 'roles';

/** Work in the background gives way to requests: by priority where nodes are full, by cpu requests where they are busy. */
export type Rank = 'serving' | 'background';

const requests: Record<Rank, { cpu: string; memory: string }> = {
  serving: { cpu: '250m', memory: '256Mi' },
  background: { cpu: '100m', memory: '256Mi' },
};

export const labelsOf = (name: string, component: Component) => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/component': component,
  'app.kubernetes.io/part-of': 'store',
});

export const imageOf = (app: AppName) => `store-${app}`;

export const metadataOf = (name: string, labels: object) => ({ name, labels });

/** Numbers of the image's user. */
const uid = 1_000;

/** Where the files of `store-<app>-certificates` are: what GRPC_TLS_CERT, KAFKA_CA_FILE and REDIS_CA_FILE name is among them. */
export const certificatesPath = '/etc/store/certificates';

export interface PodOptions {
  app: AppName;
  rank: Rank;
  container: object & { image: string };
  /** Seconds between SIGTERM and SIGKILL. */
  graceSeconds: number;
  /** Most memory, of which V8 takes half for its heap. */
  memoryMax?: string;
  more?: object;
}

export function podSpec({ app, rank, container, graceSeconds, memoryMax = '512Mi', more }: PodOptions): object {
  return {
    automountServiceAccountToken: false,
    // Links would put GATEWAY_PORT=tcp://… into the environment of every pod.
    enableServiceLinks: false,
    priorityClassName: `store-${rank}`,
    terminationGracePeriodSeconds: graceSeconds,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: uid,
      runAsGroup: uid,
      fsGroup: uid,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...more,
    containers: [
      {
        ...container,
        resources: { requests: requests[rank], limits: { cpu: '1', memory: memoryMax } },
        securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
        volumeMounts: [
          { name: 'tmp', mountPath: '/tmp' },
          { name: 'certificates', mountPath: certificatesPath, readOnly: true },
        ],
      },
    ],
    volumes: [
      { name: 'tmp', emptyDir: { sizeLimit: '64Mi' } },
      { name: 'certificates', secret: { secretName: `store-${app}-certificates`, optional: true, defaultMode: 0o440 } },
    ],
  };
}
