/** When each alert fires: series as promtool takes them, and the alerts that they cause. Every other alert must be silent. */
import { appNames } from '@store/contract';

export interface RuleCase {
  name: string;
  /** Values of each series, one a minute. */
  series: Record<string, string>;
  /** Minutes after which it is looked. */
  at: number;
  /** By alert: labels of each that fires, beside its severity. */
  firing: Record<string, Record<string, string>[]>;
}

const requests = (namespace: string, status: string) =>
  `store_http_request_duration_seconds_count{namespace="${namespace}",app="gateway",method="GET",route="/products",status="${status}"}`;
/** What a Prometheus has of an installation in which nothing is wrong. */
const healthy = (namespace: string, minutes: number, apps: readonly string[] = appNames): Record<string, string> =>
  Object.fromEntries(
    apps.flatMap((app) => [
      [`store_build_info{namespace="${namespace}",app="${app}",version="1"}`, `1x${minutes}`],
      [`store_pool_connections_max{namespace="${namespace}",app="${app}"}`, `10x${minutes}`],
    ]),
  );
const inStaging = (labels = '') => `{namespace="staging"${labels === '' ? '' : `,${labels}`}}`;
const staging = { namespace: 'staging' };

export const ruleCases: RuleCase[] = [
  {
    name: 'everything is wrong in one installation, and nothing in the other',
    at: 180,
    series: {
      ...healthy('production', 200),
      ...healthy('staging', 200),
      [requests('production', '200')]: '0+100x200',
      [requests('staging', '200')]: '0+100x200',
      [requests('staging', '500')]: '0+20x200',
      'store_http_request_duration_seconds_bucket{namespace="staging",le="1"}': '0+90x200',
      'store_http_request_duration_seconds_bucket{namespace="staging",le="5"}': '0+120x200',
      'store_http_request_duration_seconds_bucket{namespace="staging",le="+Inf"}': '0+120x200',
      'store_http_request_duration_seconds_count{namespace="staging",route="/staff_sessions",method="POST",status="401"}': '0+20x200',
      'up{job="store/store",namespace="staging",instance="a"}': '0x200',
      'up{job="other",namespace="staging",instance="b"}': '0x200',
      [`store_calls_total${inStaging('to="catalog",outcome="lost"')}`]: '0+50x200',
      [`store_calls_total${inStaging('to="catalog",outcome="answered"')}`]: '0+50x200',
      [`store_database_up${inStaging('app="sales",instance="a"')}`]: '0x200',
      [`store_database_connections${inStaging()}`]: '95x200',
      [`store_database_connections_max${inStaging()}`]: '100x200',
      [`store_pool_timeouts_total${inStaging('app="sales"')}`]: '0+1x200',
      [`store_gate_fallbacks_total${inStaging()}`]: '0+10x200',
      [`store_outbox_oldest_seconds${inStaging('app="sales"')}`]: '0+60x200',
      'store_outbox_oldest_seconds{namespace="production",app="sales"}': '2x200',
      [`store_consumer_lag${inStaging('group="sales"')}`]: '20000x200',
      [`store_consumer_failed_batches_total${inStaging('group="sales"')}`]: '0+1x200',
      [`store_weak_topics${inStaging('app="sales"')}`]: '1x200',
      [`store_dead_letters${inStaging('app="sales"')}`]: '3x200',
      [`store_relay_too_large_total${inStaging('app="sales"')}`]: '0+1x200',
      [`store_webhook_due_oldest_seconds${inStaging()}`]: '0+30x200',
      [`store_webhook_attempts_total${inStaging('outcome="timeout"')}`]: '0+30x200',
      [`store_webhook_attempts_total${inStaging('outcome="success"')}`]: '0+20x200',
      [`store_webhook_subscriptions_disabled${inStaging()}`]: '0+1x200',
      [`store_webhook_secrets_unreadable_total${inStaging()}`]: '0+1x200',
      [`nodejs_eventloop_lag_p99_seconds${inStaging('job="store/store",app="sales",instance="a"')}`]: '0.5x200',
      [`store_rejections_survived_total${inStaging('app="sales"')}`]: '0+1x200',
      [`store_certificate_not_after_seconds${inStaging('app="sales"')}`]: '86400x200',
      'store_certificate_not_after_seconds{namespace="production",app="sales"}': '8640000x200',
      // The clock of promtool begins at 0, so a backup of its own day is one at a negative time.
      [`store_backup_timestamp_seconds${inStaging()}`]: '-93600x200',
      'store_backup_timestamp_seconds{namespace="production"}': '0x200',
      [`kube_job_failed${inStaging('job_name="sales-migration",condition="true"')}`]: '1x200',
      'kube_job_failed{namespace="other",job_name="roles",condition="true"}': '1x200',
      [`kube_horizontalpodautoscaler_status_current_replicas${inStaging('horizontalpodautoscaler="sales"')}`]: '8x200',
      [`kube_horizontalpodautoscaler_spec_max_replicas${inStaging('horizontalpodautoscaler="sales"')}`]: '8x200',
    },
    firing: {
      StoreProcessDown: [{ ...staging, job: 'store/store', instance: 'a' }],
      StoreRequestsFail: [staging],
      StoreRequestsFailSlowly: [staging],
      StoreRequestsSlow: [staging],
      StoreServiceUnreachable: [{ ...staging, to: 'catalog' }],
      StoreDatabaseDown: [{ ...staging, app: 'sales' }],
      StoreDatabaseUnreachable: [{ ...staging, app: 'sales', instance: 'a' }],
      StorePoolExhausted: [{ ...staging, app: 'sales' }],
      StoreConnectionsNearLimit: [staging],
      StoreRedisDown: [staging],
      StoreOutboxStalled: [{ ...staging, app: 'sales' }],
      StoreConsumerStalled: [{ ...staging, group: 'sales' }],
      StoreConsumerFails: [{ ...staging, group: 'sales' }],
      StoreConsumerBehind: [{ ...staging, group: 'sales' }],
      StoreTopicWeak: [{ ...staging, app: 'sales' }],
      StoreDeadLetters: [{ ...staging, app: 'sales' }],
      StoreEventsTooLarge: [{ ...staging, app: 'sales' }],
      StoreDeliveriesLate: [staging],
      StoreDeliveriesFail: [staging],
      StoreSubscriptionsDisabled: [staging],
      StoreSecretsUnreadable: [staging],
      StoreEventLoopBlocked: [{ ...staging, app: 'sales', instance: 'a' }],
      StoreRejectionSurvived: [{ ...staging, app: 'sales' }],
      StoreLoginsRefused: [staging],
      StoreCertificateEnds: [{ ...staging, app: 'sales' }],
      StoreBackupOld: [staging],
      StoreJobFailed: [{ ...staging, job_name: 'sales-migration' }],
      StoreScaledToItsMaximum: [{ ...staging, horizontalpodautoscaler: 'sales' }],
    },
  },
  {
    name: 'nothing of the store is seen',
    at: 10,
    series: { 'up{job="other",instance="a"}': '1x20' },
    firing: { StoreUnseen: [{}] },
  },
  {
    name: 'no process of one app is seen, but its relay and all other apps; another installation is whole',
    at: 10,
    series: {
      ...healthy('production', 20),
      ...healthy(
        'staging',
        20,
        appNames.filter((app) => app !== 'sales'),
      ),
      'store_build_info{namespace="staging",app="sales-relay",version="1"}': '1x20',
    },
    firing: { StoreAppAbsent: [{ ...staging, app: 'sales' }] },
  },
  {
    name: 'a whole installation is gone while another is up, and it is missed for a day',
    at: 600,
    series: { ...healthy('production', 800), ...healthy('staging', 100) },
    firing: { StoreAppAbsent: appNames.map((app) => ({ ...staging, app })) },
  },
  {
    name: 'two failures in a quiet night, and asking one store to wait, are no failures',
    at: 60,
    series: {
      ...healthy('staging', 80),
      [requests('staging', '200')]: '0+1x80',
      [requests('staging', '500')]: '0x30 2x50',
      [requests('staging', '503')]: '0+50x80',
    },
    firing: {},
  },
  {
    name: 'one request of two hundred fails for a day',
    at: 1_440,
    series: { ...healthy('staging', 1_500), [requests('staging', '200')]: '0+200x1500', [requests('staging', '500')]: '0+1x1500' },
    firing: { StoreRequestsFailSlowly: [staging] },
  },
  {
    name: 'one process of two has trouble, and few calls fail',
    at: 15,
    series: {
      ...healthy('staging', 30),
      [`store_breaker_open${inStaging('instance="a",to="catalog"')}`]: '1x30',
      [`store_breaker_open${inStaging('instance="b",to="catalog"')}`]: '0x30',
      [`store_calls_total${inStaging('to="catalog",outcome="lost"')}`]: '0 0 4x30',
      [`store_database_up${inStaging('app="sales",instance="a"')}`]: '0x30',
      [`store_database_up${inStaging('app="sales",instance="b"')}`]: '1x30',
    },
    firing: { StoreDatabaseUnreachable: [{ ...staging, app: 'sales', instance: 'a' }] },
  },
  {
    name: 'every caller refuses the calls to a service',
    at: 5,
    series: { ...healthy('staging', 10), [`store_breaker_open${inStaging('instance="a",to="catalog"')}`]: '1x10' },
    firing: { StoreServiceUnreachable: [{ ...staging, to: 'catalog' }] },
  },
  {
    name: 'one group has no process at all, another is behind and handles, a third failed twice',
    at: 30,
    series: {
      ...healthy('staging', 40),
      [`store_consumer_lag${inStaging('group="gateway"')}`]: '0+100x40',
      [`store_consumer_lag${inStaging('group="webhooks"')}`]: '50x40',
      [`store_consumer_handled_total${inStaging('group="webhooks"')}`]: '0+100x40',
      [`store_consumer_failed_batches_total${inStaging('group="catalog"')}`]: '0 0 2x38',
    },
    firing: { StoreConsumerStalled: [{ ...staging, group: 'gateway' }] },
  },
  {
    name: 'an upgrade stopped half way',
    at: 200,
    series: { ...healthy('staging', 220), 'store_build_info{namespace="staging",app="sales",version="2"}': '1x220' },
    firing: { StoreVersionsDiffer: [staging] },
  },
];
