import { describe, expect, test } from '@jest/globals';
import { capturingLog, logNothing } from '@store/testbed';
import { BadConfig, describeSettings, integer, readConfig, serviceSettings, setting, text } from './config.ts';
import { Lifecycle } from './service.ts';

describe('configuration', () => {
  const settings = { PORT: setting(integer(1, 65_535), '3000', 'port of the API'), NAME: setting(text, undefined, 'name of the store') };

  test('shows every default and is frozen', () => {
    const config = readConfig(settings, { NAME: 'x' });
    expect(config).toEqual({ PORT: 3000, NAME: 'x' });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('that is invalid stops the start and names every invalid variable', () => {
    const start = () => readConfig(settings, { PORT: '99999' });
    expect(start).toThrow(BadConfig);
    expect(start).toThrow(/PORT[\s\S]*NAME is required/);
  });

  test('says which variables are required and what the others default to', () => {
    expect(describeSettings(settings)).toMatch(/PORT +port of the API \(default 3000\)\n +NAME +name of the store \(required\)/);
  });

  test("refuses a database URL that is not PostgreSQL's", () => {
    expect(() => readConfig(serviceSettings, { DATABASE_URL: 'mysql://x' })).toThrow('must be a postgres:// URL');
  });
});

describe('a lifecycle', () => {
  test('stops the newest part first, waiting for each', async () => {
    const stopped: string[] = [];
    const lifecycle = new Lifecycle(logNothing);
    for (const part of ['db', 'rpc', 'relay']) {
      lifecycle.onStop(part, async () => {
        await Promise.resolve();
        stopped.push(part);
      });
    }
    await lifecycle.stop();
    await lifecycle.stop();
    expect(stopped).toEqual(['relay', 'rpc', 'db']);
  });

  test('first stops the parts that must stop before all others, whenever they started', async () => {
    const stopped: string[] = [];
    const lifecycle = new Lifecycle(logNothing);
    lifecycle.beforeStop('claims', () => void stopped.push('claims'));
    lifecycle.onStop('rpc', () => void stopped.push('rpc'));
    await lifecycle.stop();
    expect(stopped).toEqual(['claims', 'rpc']);
  });

  test('stops the others when one part fails, and names that part', async () => {
    const { log, lines } = capturingLog();
    const stopped: string[] = [];
    const lifecycle = new Lifecycle(log);
    lifecycle.onStop('db', () => void stopped.push('db'));
    lifecycle.onStop('rpc', () => Promise.reject(new Error('stuck')));
    await lifecycle.stop();
    expect(stopped).toEqual(['db']);
    expect(lines).toEqual([expect.objectContaining({ part: 'rpc' })]);
  });
});
