import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { calculateJwkThumbprint, createLocalJWKSet, jwtVerify } from 'jose';
import { CLOCK_SKEW_MAX_SECONDS, createTokenKeys, createTokenVerifier, TOKEN_TYPES } from '../../platform/token-keys';

const newKey = () => generateKeyPairSync('ed25519').privateKey;
const pemOf = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString();
const publicPemOf = (key: KeyObject) => createPublicKey(key).export({ format: 'pem', type: 'spki' }).toString();
const claims = { id: 'to-1', userId: 'us-1', orgId: 'or-1' };
const verified = { ...claims, tokenDigest: expect.stringMatching(/^[0-9a-f]{64}$/) };
const NOW_MS = Date.parse('2030-01-01T00:00:00Z');
const NOW_SECONDS = NOW_MS / 1_000;
const inSeconds = (seconds: number) => new Date(NOW_MS + seconds * 1_000);

beforeEach(() => jest.useFakeTimers({ now: NOW_MS, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));
afterEach(() => jest.useRealTimers());

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test('a verified token is valid until its last second plus the allowed clock skew, and not after that', async () => {
  const pem = pemOf(newKey());
  const fresh = () => createTokenKeys(pem);
  const keys = fresh();
  const [met, unmet] = (await Promise.all([1, 2].map(() => keys.sign('bearer', claims, inSeconds(60))))) as [string, string];
  expect(await keys.verify('bearer', met)).toEqual(verified);
  for (const [seconds, good] of [
    [60, true],
    [59 + CLOCK_SKEW_MAX_SECONDS, true],
    [60 + CLOCK_SKEW_MAX_SECONDS, false],
  ] as const) {
    jest.setSystemTime(inSeconds(seconds));
    const answers = [await keys.verify('bearer', met), await fresh().verify('bearer', unmet)];
    expect([seconds, ...answers.map((answer) => answer !== undefined)]).toEqual([seconds, good, good]);
  }
});

test('the cache of verified tokens does not make a token with a different key or signature valid', async () => {
  const keys = createTokenKeys(pemOf(newKey()));
  const token = await keys.sign('bearer', claims, inSeconds(60));
  expect(await keys.verify('bearer', token)).toEqual(verified);
  expect(await createTokenKeys(pemOf(newKey())).verify('bearer', token)).toBeUndefined();
  const [head, body, signature = ''] = token.split('.');
  const other = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  expect(await keys.verify('bearer', `${head}.${body}.${other}`)).toBeUndefined();
});

test('a token is valid only for its own purpose, whether or not the token was verified before', async () => {
  const pem = pemOf(newKey());
  const types = Object.keys(TOKEN_TYPES) as (keyof typeof TOKEN_TYPES)[];
  for (const made of types) {
    const token = await createTokenKeys(pem).sign(made, claims, inSeconds(60));
    const met = createTokenKeys(pem);
    expect(await met.verify(made, token)).toEqual(verified);
    for (const asked of types.filter((type) => type !== made)) {
      expect([made, asked, await met.verify(asked, token)]).toEqual([made, asked, undefined]);
      expect([made, asked, await createTokenKeys(pem).verify(asked, token)]).toEqual([made, asked, undefined]);
    }
  }
});

describe('several keys', () => {
  const [old, now] = [newKey(), newKey()];

  test('the first key signs and all keys verify, so that a key rotation does not end sessions', async () => {
    const before = await createTokenKeys(pemOf(old)).sign('bearer', claims, inSeconds(60));
    for (const behind of [pemOf(old), publicPemOf(old)]) {
      const rotated = createTokenKeys(`${pemOf(now)}\n${behind}`);
      expect(await rotated.verify('bearer', before)).toEqual(verified);
      const after = await rotated.sign('bearer', claims, inSeconds(60));
      expect(await createTokenKeys(pemOf(now)).verify('bearer', after)).toEqual(verified);
      expect(await createTokenKeys(pemOf(old)).verify('bearer', after)).toBeUndefined();
    }
    expect(await createTokenKeys(pemOf(now)).verify('bearer', before)).toBeUndefined();
  });

  test('the public keys can verify tokens, but cannot sign them', async () => {
    const token = await createTokenKeys(pemOf(now)).sign('bearer', claims, inSeconds(60));
    const verifier = createTokenVerifier(publicPemOf(old) + publicPemOf(now));
    expect(await verifier.verify('bearer', token)).toEqual(verified);
    expect(Object.keys(verifier)).toEqual(['verify']);
    expect(() => createTokenKeys(publicPemOf(now) + pemOf(old))).toThrow();
  });

  test('the published set contains only public keys, each under its thumbprint, and an independent library verifies a token with it', async () => {
    const keys = createTokenKeys(pemOf(now) + pemOf(old));
    for (const key of keys.jwks.keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
    expect(keys.jwks.keys.map(({ kid }) => kid)).toEqual(
      await Promise.all([now, old].map((key) => calculateJwkThumbprint(createPublicKey(key).export({ format: 'jwk' }) as never))),
    );
    const token = await keys.sign('bearer', claims, inSeconds(60));
    const { protectedHeader } = await jwtVerify(token, createLocalJWKSet({ keys: [...keys.jwks.keys] } as never), {
      algorithms: ['EdDSA'],
      issuer: 'strongroom',
      audience: 'strongroom-api',
      requiredClaims: ['jti', 'sub', 'exp'],
    });
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: keys.jwks.keys[0]?.kid });
  });

  test.each([
    ['nothing', ''],
    ['text', 'secret-canary'],
    ['text together with a key', `${pemOf(now)}secret-canary`],
    ['the same key twice', pemOf(now) + publicPemOf(now)],
    [
      'a key of a different kind',
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    ],
    ['a broken key', '-----BEGIN PRIVATE KEY-----\nsecret-canary\n-----END PRIVATE KEY-----\n'],
  ])('%s is refused, and the error does not contain the text', (_case, text) => {
    expect(() => createTokenKeys(text)).toThrow();
    try {
      createTokenKeys(text);
    } catch (error) {
      expect(String(error)).not.toContain('secret-canary');
    }
  });
});

describe('tokens that are not ours', () => {
  const key = newKey();
  const keys = createTokenKeys(pemOf(key));
  const [{ kid } = { kid: '' }] = keys.jwks.keys;
  const good = {
    jti: 'to-1',
    sub: 'us-1',
    iss: 'strongroom',
    aud: 'strongroom-api',
    iat: NOW_SECONDS,
    exp: NOW_SECONDS + 60,
    'https://custom/app_metadata': { orgId: 'or-1' },
  };
  const header = { alg: 'EdDSA', typ: TOKEN_TYPES.bearer, kid };
  const without = (name: string) => Object.fromEntries(Object.entries(good).filter(([one]) => one !== name));
  const signed = (head: object, body: object, by: KeyObject = key) => {
    const text = `${encode(head)}.${encode(body)}`;
    return `${text}.${sign(null, Buffer.from(text), by).toString('base64url')}`;
  };
  const hmac = (head: object, secret: string | Buffer, algorithm = 'sha256') => {
    const text = `${encode(head)}.${encode(good)}`;
    return `${text}.${createHmac(algorithm, secret).update(text).digest('base64url')}`;
  };
  const stranger = newKey();
  const jwk = createPublicKey(stranger).export({ format: 'jwk' });

  test('the valid token is accepted, so each case below is refused only for its own fault', async () => {
    expect(await keys.verify('bearer', signed(header, good))).toEqual(verified);
  });

  test.each<[string, string]>([
    ['no algorithm', `${encode({ ...header, alg: 'none' })}.${encode(good)}.`],
    ['no algorithm, with a signature', signed({ ...header, alg: 'none' }, good)],
    ['the public key as PEM, used as an HMAC secret', hmac({ ...header, alg: 'HS256' }, publicPemOf(key))],
    [
      'the public key as DER, used as an HMAC secret',
      hmac({ ...header, alg: 'HS256' }, createPublicKey(key).export({ format: 'der', type: 'spki' })),
    ],
    ['the private key as PEM, used as an HMAC secret', hmac({ ...header, alg: 'HS512' }, pemOf(key), 'sha512')],
    ['a wrong algorithm in the header', signed({ ...header, alg: 'ES256' }, good)],
    ['an embedded key', signed({ ...header, jwk }, good, stranger)],
    ['an embedded key and no key id', signed({ alg: 'EdDSA', typ: header.typ, jwk }, good, stranger)],
    ['the URL of a key set', signed({ ...header, jku: 'http://127.0.0.1:9/keys' }, good, stranger)],
    ['a certificate', signed({ ...header, x5c: ['AA=='] }, good, stranger)],
    ['our key id and a stranger’s signature', signed(header, good, stranger)],
    ['no key id', signed({ alg: 'EdDSA', typ: header.typ }, good)],
    ['an unknown key id', signed({ ...header, kid: '__proto__' }, good)],
    ['a different type', signed({ ...header, typ: TOKEN_TYPES.userAction }, good)],
    ['the generic type', signed({ ...header, typ: 'JWT' }, good)],
    ['no type', signed({ alg: 'EdDSA', kid }, good)],
    ['a critical extension', signed({ ...header, crit: ['exp2'], exp2: true }, good)],
    ['an unencoded payload', signed({ ...header, b64: false, crit: ['b64'] }, good)],
    ['a different issuer', signed(header, { ...good, iss: 'stranger' })],
    ['a different audience', signed(header, { ...good, aud: 'elsewhere' })],
    ['no organisation', signed(header, { ...good, 'https://custom/app_metadata': {} })],
    ['an organisation that is not a text', signed(header, { ...good, 'https://custom/app_metadata': { orgId: 7 } })],
    ['an issue time in the future', signed(header, { ...good, iat: NOW_SECONDS + CLOCK_SKEW_MAX_SECONDS + 1 })],
    ['a start time in the future', signed(header, { ...good, nbf: NOW_SECONDS + CLOCK_SKEW_MAX_SECONDS + 1 })],
    ['an expiry in the past', signed(header, { ...good, exp: NOW_SECONDS - CLOCK_SKEW_MAX_SECONDS - 1 })],
    ['an expiry that is a text', signed(header, { ...good, exp: '9999999999' })],
    ...['jti', 'sub', 'iss', 'aud', 'iat', 'exp', 'https://custom/app_metadata'].map((name): [string, string] => [
      `no ${name}`,
      signed(header, without(name)),
    ]),
    ['a very long text', signed(header, { ...good, more: 'x'.repeat(5_000) })],
    ['four parts', `${signed(header, good)}.x`],
    ['two parts', signed(header, good).split('.').slice(0, 2).join('.')],
  ])('a token with %s is refused', async (_case, token) => {
    expect(await keys.verify('bearer', token)).toBeUndefined();
  });
});
