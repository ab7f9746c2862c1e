/** Hostile receivers (P14), with shortened timers of the same kinds. */
import net from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, test } from '@jest/globals';
import { every, head, hostile, pour } from '../../test/hostile-kinds.ts';
import { closeReceivers, goodCertificate, listen, outcomeOf, post, receiverThat } from '../../test/receivers.ts';

afterEach(closeReceivers);

describe('a hostile receiver frees its slot in time and affects nothing but the outcome', () => {
  test.each(Object.entries(hostile))('%s', async (_title, [answers, expected]) => {
    const receiver = await receiverThat(answers);
    expect(await outcomeOf(post(receiver.url))).toBe(expected);
    expect(receiver.connections).toBe(1);
  });

  test('accepts and never answers the TLS handshake', async () => {
    const receiver = await listen(net.createServer());
    expect(await outcomeOf(post(receiver.url))).toBe('timeout');
  });

  test('never reads a large body', async () => {
    const receiver = await listen(tls.createServer(goodCertificate, (socket) => socket.pause()));
    expect(await outcomeOf(post(receiver.url, {}, Buffer.alloc(20_000_000)))).toBe('timeout');
  });

  test('answers a gigabyte: little more than 64 KB is read, and memory does not grow', async () => {
    let sent = 0;
    const receiver = await receiverThat((socket) => {
      socket.write(`${head}Content-Length: 1000000000\r\n\r\n`);
      pour(socket, 1_000_000_000, (bytes) => {
        sent += bytes;
      });
    });
    const before = process.memoryUsage.rss();
    expect(await outcomeOf(post(receiver.url))).toBe('status 200');
    // What is in transit is read too.
    expect(sent).toBeLessThan(30_000_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(80_000_000);
  });

  test("the logged duration ends with the response's headers", async () => {
    const receiver = await receiverThat((socket) => {
      socket.write(`${head}\r\n`);
      every(socket, 20, () => socket.write('x'));
    });
    // The body ends with the timeout, 3 s later.
    const outcome = await post(receiver.url, { responseTimeoutMs: 3_000 });
    expect(outcome.durationMs).toBeLessThan(2_500);
  });
});
