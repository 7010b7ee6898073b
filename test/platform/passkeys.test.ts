import { generateKeyPairSync } from 'node:crypto';
import { PASSKEY_ALGORITHMS, type Passkey, verifyPasskeyAssertion, verifyPasskeyAttestation } from '../../platform/passkeys';
import { type Authenticator, type Bend, createAuthenticator } from '../support/authenticator';

const rp = { id: 'localhost', name: 'Strongroom', origins: ['http://localhost:3000', 'https://custody.example'] };
const challenge = 'bm9uY2Utb2YtMTYtYnl0ZXMtYW5kLWEtZGlnZXN0';
const asText = Buffer.from(challenge, 'utf8').toString('base64url');
const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

const register = (authenticator: Authenticator, bend?: Bend) =>
  verifyPasskeyAttestation(rp, challenge, authenticator.attest(challenge, bend));
const sign = (stored: Omit<Passkey, 'origin'>, authenticator: Authenticator, bend?: Bend) =>
  verifyPasskeyAssertion(rp, challenge, stored, authenticator.assert(challenge, bend));
async function registered(authenticator: Authenticator): Promise<Passkey> {
  const passkey = await register(authenticator);
  if (!passkey) throw new Error('an honest passkey is registered');
  return passkey;
}

describe.each(['ES256', 'EdDSA', 'RS256'] as const)('a passkey that signs by %s', (algorithm) => {
  test.each(['none', 'packed'] as const)('is registered with the statement %s and signs', async (statement) => {
    const authenticator = createAuthenticator(algorithm, 'dXM');
    const passkey = await register(authenticator, { statement });
    expect(passkey).toMatchObject({ credentialId: authenticator.credId, signCount: 0, origin: 'http://localhost:3000' });
    if (!passkey) return;
    expect(await sign(passkey, authenticator)).toBe(1);
    expect(await sign({ ...passkey, signCount: 1 }, authenticator)).toBe(2);
  });
});

test('the offered algorithms are ES256, EdDSA and RS256', () => {
  expect(PASSKEY_ALGORITHMS).toEqual([-7, -8, -257]);
});

test('a challenge may reach the browser as its bytes or as its text', async () => {
  const authenticator = createAuthenticator();
  const passkey = await verifyPasskeyAttestation(rp, challenge, authenticator.attest(asText));
  expect(passkey).toBeDefined();
  if (passkey) expect(await verifyPasskeyAssertion(rp, challenge, passkey, authenticator.assert(asText))).toBe(1);
});

test('every configured origin is accepted, and the result contains the origin of the page', async () => {
  const clientData = { origin: 'https://custody.example' };
  expect(await register(createAuthenticator(), { clientData })).toMatchObject(clientData);
});

const COMMON: readonly (readonly [string, Bend])[] = [
  ['a different challenge', { clientData: { challenge: Buffer.from('other').toString('base64url') } }],
  ['a truncated challenge', { clientData: { challenge: challenge.slice(0, -4) } }],
  ['a page with a different origin', { clientData: { origin: 'https://localhost.evil.example' } }],
  ['the same host on another port', { clientData: { origin: 'http://localhost:3001' } }],
  ['a page embedded in a foreign page', { clientData: { crossOrigin: true } }],
  ['a crossOrigin that is neither true nor false', { clientData: { crossOrigin: 'no' } }],
  ['a different relying party', { rpId: 'evil.example' }],
  ['no user verification', { flags: 0x01 }],
  ['no user presence', { flags: 0x04 }],
];

test.each([
  ...COMMON,
  ['the client data of a signature', { clientData: { type: 'webauthn.get' } }],
  ['the client data of a raw key', { clientData: { type: 'key.create' } }],
  ['an algorithm that was not offered', { algorithmId: -35 }],
  ['a statement by another key', { statement: 'packed', privateKey: stranger }],
  ['a counter that was changed after the attestation', { statement: 'packed', after: flip(36) }],
  ['a key that was changed after the attestation', { statement: 'packed', after: (data) => flip(data.length - 1)(data) }],
  ['truncated authenticator data', { after: (data) => data.subarray(0, 60) }],
] as const satisfies readonly (readonly [string, Bend])[])('a passkey is not registered with %s', async (_name, bend) => {
  expect(await register(createAuthenticator(), bend)).toBeUndefined();
});

test('a passkey is not registered under an id that the authenticator did not attest', async () => {
  const attestation = createAuthenticator().attest(challenge);
  expect(await verifyPasskeyAttestation(rp, challenge, { ...attestation, credId: 'b3RoZXI' })).toBeUndefined();
});

test.each([
  ['client data', 'clientData'],
  ['attestation', 'attestationData'],
])('with malformed %s, no passkey is registered and no error is thrown', async (_name, member) => {
  for (const text of ['', 'AA', 'bnVsbA', Buffer.alloc(5_000, 0x9f).toString('base64url')]) {
    const attestation = { ...createAuthenticator().attest(challenge), [member]: text };
    expect(await verifyPasskeyAttestation(rp, challenge, attestation)).toBeUndefined();
  }
});

test.each([
  ...COMMON,
  ['the client data of a registration', { clientData: { type: 'webauthn.create' } }],
  ['the client data of a raw key', { clientData: { type: 'key.get' } }],
  ['a signature by another key', { privateKey: stranger }],
  ['an unchanged counter', { counter: 7 }],
  ['an earlier counter', { counter: 3 }],
  ['a counter that returns to zero', { counter: 0 }],
  ['a counter that was raised after the signature', { counter: 8, after: flip(36) }],
] as const satisfies readonly (readonly [string, Bend])[])('a passkey does not sign with %s', async (_name, bend) => {
  const authenticator = createAuthenticator();
  const stored = { ...(await registered(authenticator)), signCount: 7 };
  expect(await sign(stored, authenticator, { counter: 8, ...bend })).toBeUndefined();
  expect(await sign(stored, authenticator, { counter: 8 })).toBe(8);
});

test('an authenticator without a counter returns zero every time', async () => {
  const authenticator = createAuthenticator();
  const stored = await registered(authenticator);
  expect(await sign(stored, authenticator, { counter: 0 })).toBe(0);
  expect(await sign(stored, authenticator, { counter: 0 })).toBe(0);
});

test('a signature by one passkey is not accepted for another passkey', async () => {
  const [mine, other] = [createAuthenticator(), createAuthenticator()];
  const stored = await registered(mine);
  expect(await sign(stored, other)).toBeUndefined();
  expect(await sign(stored, other, { credId: mine.credId })).toBeUndefined();
});

/**
 * The library accepts the same bytes again. The stored counter prevents a replay only for authenticators with a counter; the
 * one-time challenge prevents every replay.
 */
test('an assertion cannot be replayed once its counter is stored', async () => {
  const authenticator = createAuthenticator();
  const stored = await registered(authenticator);
  const assertion = authenticator.assert(challenge);
  expect(await verifyPasskeyAssertion(rp, challenge, stored, assertion)).toBe(1);
  expect(await verifyPasskeyAssertion(rp, challenge, { ...stored, signCount: 1 }, assertion)).toBeUndefined();
});

function flip(at: number): (data: Buffer) => Buffer {
  return (data) => {
    const changed = Buffer.from(data);
    changed[at] = (changed[at] ?? 0) ^ 0x01;
    return changed;
  };
}
