/** The variables that say where a service listens and where others find it. */
import { type Door, doorsOf, type ServiceName } from '@store/contract';
import { type Setting, setting, text } from './config.ts';

export const listenVariable = <Name extends string>(door: Name) => `${door.toUpperCase()}_LISTEN` as `${Uppercase<Name>}_LISTEN`;
export const addressVariable = <Name extends string>(door: Name) => `${door.toUpperCase()}_ADDRESS` as `${Uppercase<Name>}_ADDRESS`;

/** The setting for the address of every door of these services. */
export function addressSettings(names: readonly ServiceName[]): Record<`${Uppercase<Door>}_ADDRESS`, Setting<typeof text>> {
  const settings = names.flatMap(doorsOf).map(({ door, port }) => {
    const [app, further] = door.split('_');
    return [addressVariable(door), setting(text, `127.0.0.1:${port}`, `host:port of ${further ? `the ${further} of ${app}` : app}`)];
  });
  return Object.fromEntries(settings);
}
