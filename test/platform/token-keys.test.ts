import { generateKeyPairSync } from 'node:crypto';
import { createTokenKeys } from '../../platform/token-keys';

const newKeys = () =>
  createTokenKeys(generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
const claims = { id: 'to-1', userId: 'us-1', orgId: 'or-1' };
const NOW_MS = Date.parse('2030-01-01T00:00:00Z');
const inSeconds = (seconds: number) => new Date(NOW_MS + seconds * 1_000);

beforeEach(() => jest.useFakeTimers({ now: NOW_MS, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

test('a token that was found good is good until its last second, and not after it', async () => {
  const keys = newKeys();
  const token = await keys.sign('bearer', claims, inSeconds(60));
  expect(await keys.verify('bearer', token)).toEqual(claims);
  jest.setSystemTime(inSeconds(59));
  expect(await keys.verify('bearer', token)).toEqual(claims);
  jest.setSystemTime(inSeconds(60));
  expect(await keys.verify('bearer', token)).toBeUndefined();
});

test('a token that was found good makes none of another key, text or purpose good', async () => {
  const keys = newKeys();
  const token = await keys.sign('bearer', claims, inSeconds(60));
  expect(await keys.verify('bearer', token)).toEqual(claims);
  expect(await newKeys().verify('bearer', token)).toBeUndefined();
  const [head, body, signature = ''] = token.split('.');
  const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  expect(await keys.verify('bearer', `${head}.${body}.${other}`)).toBeUndefined();
  expect(await keys.verify('challenge', token)).toBeUndefined();
  expect(await keys.verify('userAction', token)).toBeUndefined();
});
