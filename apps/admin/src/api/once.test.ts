import { expect, test } from '@jest/globals';
import { Once } from './once.ts';

function sender() {
  let now = 0;
  const once = new Once<string>(() => now);
  const asked: { answer: (text: string) => void; refuse: () => void }[] = [];
  const ask = () =>
    new Promise<string>((resolve, reject) => {
      asked.push({ answer: resolve, refuse: () => reject(new Error('refused')) });
    });
  const send = (content: string) => once.send(content, ask);
  const pass = (ms: number) => {
    now += ms;
  };
  return { asked, send, pass };
}

test('the same is sent once while it is under way and until its dialog has closed', async () => {
  const { asked, send, pass } = sender();
  const first = send('three pieces');
  pass(60_000);
  const second = send('three pieces');
  asked[0]!.answer('stored');
  expect(await Promise.all([first, second])).toEqual(['stored', 'stored']);
  pass(999);
  expect(await send('three pieces')).toBe('stored');
  expect(asked).toHaveLength(1);
  pass(1);
  void send('three pieces');
  expect(asked).toHaveLength(2);
});

test('something else is sent at once, and so is the same after it or after a refusal', async () => {
  const { asked, send } = sender();
  for (const content of ['on', 'off', 'on']) void send(content);
  expect(asked).toHaveLength(3);
  const refused = expect(send('on')).rejects.toThrow('refused');
  asked[2]!.refuse();
  await refused;
  void send('on');
  expect(asked).toHaveLength(4);
});
