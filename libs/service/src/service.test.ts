import { describe, expect, test } from '@jest/globals';
import { capturingLog, logNothing } from '@store/testbed';
import { Lifecycle } from './service.ts';

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
