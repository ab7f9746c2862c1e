/** Every app in this process, talking gRPC over loopback as in production, events handed over in process. */
import { start as startCatalog } from '@store/catalog';
import type { Clock } from '@store/db';
import { InProcessTransport } from '@store/events';
import { start as startGateway } from '@store/gateway';
import { start as startInventory } from '@store/inventory';
import { type Log, openLog, type Running } from '@store/service';
import { start as startWebhooks } from '@store/webhooks';

export interface Services {
  /** host:port of the gateway. */
  address: string;
  stop(): Promise<void>;
}

export interface ServiceParts {
  /** Where log lines go; standard output when neither this nor `log` is given. */
  logFile?: string;
  log?: Log;
  /** Injected in tests. */
  clock?: Clock;
  /** Injected in tests; held until all services have started. */
  transport?: InProcessTransport;
}

const anyPort = '127.0.0.1:0';

/** Starts the services behind the gateway and then the gateway; stops them the other way round. */
export async function startServices(env: NodeJS.ProcessEnv, parts: ServiceParts = {}): Promise<Services> {
  const transport = parts.transport ?? new InProcessTransport({ held: true });
  const running: Running[] = [];
  const stop = async () => {
    for (const service of running.splice(0).reverse()) await service.stop();
    await transport.stop();
  };
  const options = (app: string, more: NodeJS.ProcessEnv) => ({
    env: { ...env, ...more },
    transport,
    log: parts.log ?? openLog(app, env.LOG_LEVEL ?? 'info', parts.logFile),
    clock: parts.clock,
  });
  try {
    const catalog = await startCatalog(options('catalog', { CATALOG_LISTEN: anyPort }));
    running.push(catalog);
    const inventory = await startInventory(options('inventory', { INVENTORY_LISTEN: anyPort, CATALOG_ADDRESS: catalog.address }));
    running.push(inventory);
    const webhooks = await startWebhooks(options('webhooks', { WEBHOOKS_LISTEN: anyPort, WEBHOOKS_STREAM_LISTEN: anyPort }));
    running.push(webhooks);
    const addresses = {
      // No load balancer is in front of it.
      GATEWAY_NOT_READY_MS: '0',
      CATALOG_ADDRESS: catalog.address,
      INVENTORY_ADDRESS: inventory.address,
      WEBHOOKS_ADDRESS: webhooks.address,
      WEBHOOKS_STREAM_ADDRESS: webhooks.streamAddress,
    };
    const gateway = await startGateway(options('gateway', addresses));
    running.push(gateway);
    // Every group has subscribed: what waited in an outbox reaches all of them.
    transport.open();
    return { address: gateway.address, stop };
  } catch (error) {
    // First: a relay that waits for the transport would not stop.
    await transport.stop();
    await stop();
    throw error;
  }
}
