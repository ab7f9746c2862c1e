/** The variables that say where a service listens, where others find it, and what their calls are signed with. */
import { type AppName, appNames, apps, type Door, doorsOf, type ServiceName } from '@store/contract';
import type { Pair } from '@store/rpc';
import { parsedBy, parseServiceKeys, type Setting, setting, text } from './config.ts';

export const listenVariable = <Name extends string>(door: Name) => `${door.toUpperCase()}_LISTEN` as `${Uppercase<Name>}_LISTEN`;
export const addressVariable = <Name extends string>(door: Name) => `${door.toUpperCase()}_ADDRESS` as `${Uppercase<Name>}_ADDRESS`;

export function addressSettings(names: readonly ServiceName[]): Record<`${Uppercase<Door>}_ADDRESS`, Setting<typeof text>> {
  const settings = names.flatMap(doorsOf).map(({ door, port }) => {
    const [app, further] = door.split('_');
    return [addressVariable(door), setting(text, `127.0.0.1:${port}`, `host:port of ${further ? `the ${further} of ${app}` : app}`)];
  });
  return Object.fromEntries(settings);
}

/** Names the ring of one pair: GATEWAY_TO_CATALOG_KEYS. */
export const keysVariable = ({ caller, called }: Pair): string => `${caller.toUpperCase()}_TO_${called.toUpperCase()}_KEYS`;

export const pairs: readonly Pair[] = appNames.flatMap((caller) => apps[caller].calls.map((called) => ({ caller, called })));

export const pairsOf = (app: AppName): Pair[] => pairs.filter(({ caller, called }) => caller === app || called === app);

export function keySettings(app: AppName): Record<string, Setting> {
  const settings = pairsOf(app).map((pair) => [
    keysVariable(pair),
    setting(
      parsedBy(parseServiceKeys),
      '',
      `32-byte keys that ${pair.caller} signs its calls to ${pair.called} with, newest first: 2:base64,1:base64; these two alone know them`,
    ),
  ]);
  return Object.fromEntries(settings);
}
