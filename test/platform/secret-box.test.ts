import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { createSecretBox, decrypt, deriveKey, encrypt } from '../../platform/secret-box';

const KEY = Buffer.alloc(32, 1);
const box = createSecretBox(KEY, 'webhook-secrets');

test('any sealed text opens under the same key, purpose and context', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (plain, context) => {
      expect(createSecretBox(KEY, 'webhook-secrets').open(box.seal(plain, context), context)).toBe(plain);
    }),
  );
});

test('the sealed text does not contain the plain text and differs each time', () => {
  const [first, second] = [box.seal('canary-canary-canary', 'wh-1'), box.seal('canary-canary-canary', 'wh-1')];
  expect(first).not.toBe(second);
  expect(Buffer.from(first, 'base64').includes('canary')).toBe(false);
});

test('a text does not open under a different key, purpose or context', () => {
  const sealed = box.seal('secret', 'wh-1');
  expect(() => createSecretBox(Buffer.alloc(32, 2), 'webhook-secrets').open(sealed, 'wh-1')).toThrow();
  expect(() => createSecretBox(KEY, 'temporal-payload').open(sealed, 'wh-1')).toThrow();
  expect(() => box.open(sealed, 'wh-2')).toThrow();
  expect(() => box.open(sealed, '')).toThrow();
});

test('a text with any changed bit does not open', () => {
  const sealed = Buffer.from(box.seal('secret', 'wh-1'), 'base64');
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => box.open(changed.toString('base64'), 'wh-1')).toThrow();
  }
});

test('a truncated text does not open, and a text below 28 bytes is refused as too short', () => {
  const key = deriveKey(KEY, 'temporal-payload');
  const sealed = encrypt(key, Buffer.from('secret'), '');
  for (let length = 0; length < sealed.length; length += 1) expect(() => decrypt(key, sealed.subarray(0, length), '')).toThrow();
  expect(() => decrypt(key, randomBytes(27), '')).toThrow('too short');
  expect(() => decrypt(key, randomBytes(28), '')).not.toThrow('too short');
  expect(decrypt(key, encrypt(key, Buffer.alloc(0), ''), '')).toHaveLength(0);
});

test('the key for a purpose is HKDF (RFC 5869) with SHA-256, no salt and the purpose as info', () => {
  // Computed with Python's hmac module, with extract and expand as separate steps.
  expect(deriveKey(KEY, 'webhook-secrets').toString('hex')).toBe(
    'c37d2e1b828879bb0948f824bc4dfdbe0fb6ca33d1fbc0b4638df02608db64e8',
  );
  expect(deriveKey(KEY, 'webhook-secrets').equals(deriveKey(KEY, 'temporal-payload'))).toBe(false);
});
