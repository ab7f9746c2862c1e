/** The published vectors, computed again in every language that is installed: they must match in each (P30). */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { verifySignature } from '@store/verify';

const file = new URL('../vectors.json', import.meta.url);
const { secret, timestamp, vectors } = JSON.parse(readFileSync(file, 'utf8')) as {
  secret: string;
  timestamp: number;
  vectors: {
    name: string;
    id: string;
    body_base64?: string;
    body_repeat?: { text: string; times: number };
    x_service_signature: string;
    webhook_signature: string;
  }[];
};
const bodyOf = ({ body_base64: base64, body_repeat: repeat }: (typeof vectors)[number]) =>
  repeat ? Buffer.from(repeat.text.repeat(repeat.times)) : Buffer.from(base64!, 'base64');

const has = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;
const testWith = (command: string, ...args: string[]) => (has(command, ...args) ? test : test.skip);
const compileMs = 180_000;

test('they cover ASCII, UTF-8, emoji, U+2028, one byte, no bytes and 1 MB', () => {
  const bodies = vectors.map(bodyOf);
  expect(bodies.map((body) => body.length)).toEqual(expect.arrayContaining([0, 1, 1_048_576]));
  for (const text of ['Crème', '🎁', '\u2028']) expect(bodies.some((body) => body.includes(text))).toBe(true);
});

describe.each(vectors)('$name', (vector) => {
  const rawBody = bodyOf(vector);
  const headers = {
    'x-service-signature': vector.x_service_signature,
    'webhook-id': vector.id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': vector.webhook_signature,
  };

  test('verifies here in both schemes', () => {
    expect(verifySignature({ rawBody, headers, secrets: [secret] })).toBe(true);
    expect(verifySignature({ scheme: 'standard', rawBody, headers, secrets: [secret], now: new Date(timestamp * 1000) })).toBe(true);
  });

  testWith('openssl', 'version')('is what openssl computes', () => {
    const hmac = (key: Buffer, input: Buffer) => {
      const args = ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `hexkey:${key.toString('hex')}`, '-r'];
      return spawnSync('openssl', args, { input, encoding: 'utf8' }).stdout.slice(0, 64);
    };
    expect(`sha256=${hmac(Buffer.from(secret), rawBody)}`).toBe(vector.x_service_signature);
    const signed = Buffer.concat([Buffer.from(`${vector.id}.${timestamp}.`), rawBody]);
    const digest = Buffer.from(hmac(Buffer.from(secret.slice(6), 'base64'), signed), 'hex');
    expect(`v1,${digest.toString('base64')}`).toBe(vector.webhook_signature);
  });
});

const expected = vectors.map((vector) => `${vector.x_service_signature} ${vector.webhook_signature}`);

testWith('python3', '--version')('all are what Python computes', () => {
  const program = `
import base64, hashlib, hmac, json, sys
file = json.load(open(sys.argv[1], encoding="utf-8"))
for v in file["vectors"]:
    repeat = v.get("body_repeat")
    body = (repeat["text"] * repeat["times"]).encode() if repeat else base64.b64decode(v["body_base64"])
    service = hmac.new(file["secret"].encode(), body, hashlib.sha256).hexdigest()
    signed = f'{v["id"]}.{file["timestamp"]}.'.encode() + body
    standard = hmac.new(base64.b64decode(file["secret"][6:]), signed, hashlib.sha256).digest()
    print(f"sha256={service} v1,{base64.b64encode(standard).decode()}")
`;
  const { stdout, stderr } = spawnSync('python3', ['-c', program, file.pathname], { encoding: 'utf8' });
  expect([stderr, stdout.trim().split('\n')]).toEqual(['', expected]);
});

testWith('go', 'version')(
  'all are what Go computes',
  () => {
    const program = `package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

func sum(key, text []byte) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	return mac.Sum(nil)
}

func main() {
	var file struct {
		Secret    string
		Timestamp int64
		Vectors   []struct {
			ID     string
			Body   []byte \`json:"body_base64"\`
			Repeat struct {
				Text  string
				Times int
			} \`json:"body_repeat"\`
		}
	}
	text, _ := os.ReadFile(os.Args[1])
	if err := json.Unmarshal(text, &file); err != nil {
		panic(err)
	}
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(file.Secret, "whsec_"))
	for _, v := range file.Vectors {
		body := append(v.Body, strings.Repeat(v.Repeat.Text, v.Repeat.Times)...)
		signed := append([]byte(fmt.Sprintf("%s.%d.", v.ID, file.Timestamp)), body...)
		fmt.Printf("sha256=%s v1,%s\\n", hex.EncodeToString(sum([]byte(file.Secret), body)), base64.StdEncoding.EncodeToString(sum(key, signed)))
	}
}
`;
    const folder = mkdtempSync(path.join(tmpdir(), 'vectors-'));
    try {
      writeFileSync(path.join(folder, 'main.go'), program);
      const env = { ...process.env, GO111MODULE: 'off', GOTOOLCHAIN: 'local' };
      const { stdout, stderr } = spawnSync('go', ['run', path.join(folder, 'main.go'), file.pathname], { encoding: 'utf8', env });
      expect([stderr, stdout.trim().split('\n')]).toEqual(['', expected]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  compileMs,
);
