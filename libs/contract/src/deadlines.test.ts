import { expect, test } from '@jest/globals';
import type protobuf from 'protobufjs';
import { endpoints } from './endpoints.ts';

/** Hashing waits its turn, and the first new password of a process waits until the dictionaries are read. */
const passwordMs = 15_000;

test('what hashes a password waits for it as long as a login does', () => {
  const takesPassword = (type: protobuf.Type): boolean =>
    type.fieldsArray.some((field) => {
      const { resolvedType } = field.resolve();
      return field.name === 'password' || (resolvedType !== null && 'fieldsArray' in resolvedType && takesPassword(resolvedType));
    });
  const found = endpoints().filter(({ request }) => takesPassword(request));
  expect(found.filter(({ deadlineMs }) => deadlineMs !== passwordMs).map(({ rpcName }) => rpcName)).toEqual([]);
  expect(found.map(({ rpcName }) => rpcName)).toContain('CreateStaffSession');
});
