import { hashPassword, verifyPassword } from '../../platform/passwords';

/** A hash from the reference implementation of argon2 (its `test.c`, version 0x13, argon2id). */
const REFERENCE = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';

test('a password is hashed by argon2id with 19 MiB, two passes, one lane and its own salt', async () => {
  const [first, second] = [await hashPassword('correct horse battery'), await hashPassword('correct horse battery')];
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(first).not.toBe(second);
});

test('only the exact password is accepted, including its last character and its case', async () => {
  const stored = await hashPassword('correct horse battery');
  expect(await verifyPassword(stored, 'correct horse battery')).toBe(true);
  for (const wrong of ['correct horse batterY', 'correct horse batter', 'correct horse battery ', '']) {
    expect(await verifyPassword(stored, wrong)).toBe(false);
  }
});

test('a hash from the reference implementation is read', async () => {
  expect(await verifyPassword(REFERENCE, 'password')).toBe(true);
  expect(await verifyPassword(REFERENCE, 'differentpassword')).toBe(false);
});

test('without a stored hash no password is accepted, not even the password of the substitute hash that is checked instead', async () => {
  for (const password of ['anything', 'there is no such password', '']) {
    expect(await verifyPassword(undefined, password)).toBe(false);
  }
});

test.each(['', 'plain text', '$argon2id$v=19$m=19456,t=2,p=1$', '$2b$10$abcdefghijklmnopqrstuv'])(
  'with the stored hash %j no password is accepted and no error is thrown',
  async (stored) => {
    expect(await verifyPassword(stored, 'plain text')).toBe(false);
  },
);
