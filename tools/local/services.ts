/** Every app in this process, with gRPC over loopback as in production and the in-process transport. */
import { type Door, doorsOf, serviceNames } from '@store/contract';
import type { Clock } from '@store/db';
import { InProcessTransport, type Transport } from '@store/events';
import { addressVariable, type Log, listenVariable, openLog, type Running, startTraces } from '@store/service';
import { startApp } from './apps.ts';

export interface Services {
  /** host:port of the gateway. */
  address: string;
  /** Where a program on this machine reaches it. */
  baseUrl: string;
  stop(): Promise<void>;
}

export interface ServiceParts {
  /** File of log lines; standard output when neither this nor `log` is given. */
  logFile?: string;
  log?: Log;
  /** Injected in tests. */
  clock?: Clock;
  /** Injected in tests; it delivers nothing until all services have started, when it is opened. */
  transport?: Transport & { open(): void };
  /** Injected in tests: the address at which the others find a service, such as that of a proxy. */
  found?(address: string): Promise<string>;
}

const anyPort = '127.0.0.1:0';

/** Starts the services and then the gateway; stops them in reverse. */
export async function startServices(env: NodeJS.ProcessEnv, parts: ServiceParts = {}): Promise<Services> {
  const transport = parts.transport ?? new InProcessTransport({ held: true });
  const running: Running[] = [];
  const endTraces = await startTraces('api', env);
  const stop = async () => {
    for (const service of running.splice(0).reverse()) await service.stop();
    await transport.stop();
    await endTraces();
  };
  const options = (app: string, more: NodeJS.ProcessEnv) => ({
    // Its transport ends with this process, so no other one could publish.
    env: { ...env, ...more, RELAY: 'own' },
    transport,
    log: parts.log ?? openLog(app, env.LOG_LEVEL ?? 'info', parts.logFile),
    clock: parts.clock,
  });
  try {
    // Each is started after those that it calls.
    const addresses: Record<string, string> = {};
    for (const app of serviceNames) {
      const doors = doorsOf(app);
      const service = await startApp(
        app,
        options(app, { ...addresses, ...Object.fromEntries(doors.map(({ door }) => [listenVariable(door), anyPort])) }),
      );
      running.push(service);
      for (const { door } of doors) {
        const address = addressOf(service, app, door);
        addresses[addressVariable(door)] = (await parts.found?.(address)) ?? address;
      }
    }
    // No load balancer is in front of it.
    const gateway = await startApp('gateway', options('gateway', { GATEWAY_NOT_READY_MS: '0', ...addresses }));
    running.push(gateway);
    // Every group has subscribed: rows that waited in an outbox reach all of them.
    transport.open();
    return { address: gateway.address, baseUrl: baseUrlOf(gateway.address), stop };
  } catch (error) {
    // Stopped first: a relay that waits for the transport would not stop.
    await transport.stop();
    await stop();
    throw error;
  }
}

/** A gateway that listens on every address is reached by the loopback one. */
export function baseUrlOf(address: string): string {
  return `http://${address.replace(/^(?:0\.0\.0\.0|\[::\]|::)(?=:\d+$)/, '127.0.0.1')}`;
}

function addressOf(service: Running & Record<string, unknown>, app: string, door: Door): string {
  return door === app ? service.address : String(service[`${door.slice(app.length + 1)}Address`]);
}
