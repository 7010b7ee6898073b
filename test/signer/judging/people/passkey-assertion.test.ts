import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { isPasskeyAnswer } from '../../../../signer/judging/people/passkey-assertion';
import { type Bend, createAuthenticator, type PasskeyAlgorithm } from '../../../support/authenticator';

const CHALLENGE = Buffer.alloc(48, 7).toString('base64url');
const RP = 'example.com';
const AT_HOME = 'https://example.com';

/** Whether a passkey assertion for `example.com` is accepted with these changes to the assertion of an honest browser. */
function answers(
  bend: Bend,
  { algorithm = 'ES256', relyingPartyId = RP }: { algorithm?: PasskeyAlgorithm; relyingPartyId?: string } = {},
) {
  const passkey = createAuthenticator(algorithm);
  const publicKey = createPublicKey(passkey.privateKey).export({ format: 'pem', type: 'spki' }).toString();
  const { clientData = {}, ...more } = bend;
  const whole = { rpId: RP, ...more, clientData: { origin: AT_HOME, ...clientData } };
  const { clientData: sent, authenticatorData, signature } = passkey.assert(CHALLENGE, whole);
  return isPasskeyAnswer({ publicKey, relyingPartyId }, CHALLENGE, { clientData: sent, authenticatorData, signature });
}
const from = (origin: string) => ({ clientData: { origin } });

test.each(['ES256', 'EdDSA', 'RS256'] as const)('a passkey assertion with %s is accepted', (algorithm) => {
  expect(answers({}, { algorithm })).toBe(true);
});

test.each<[string, Bend]>([
  ['a page of the domain', from(AT_HOME)],
  ['a page of a subdomain', from('https://wallet.example.com:8443')],
  ['a browser that encodes the challenge again', { clientData: { challenge: Buffer.from(CHALLENGE).toString('base64url') } }],
  ['a browser that omits crossOrigin', { clientData: { crossOrigin: undefined } }],
])('an assertion from %s is accepted', (_what, bend) => {
  expect(answers(bend)).toBe(true);
});

test.each<[string, Bend]>([
  ['a domain that ends with the same text', from('https://evilexample.com')],
  ['a domain that begins with the same text', from('https://example.com.evil.test')],
  ['a user name that looks like the domain', from('https://example.com@evil.test')],
  ['an origin without TLS', from('http://example.com')],
  ['an origin without a scheme', from('example.com')],
  ['the mark of a page that is embedded in a page of another origin', { clientData: { crossOrigin: true } }],
  ['a different challenge', { clientData: { challenge: 'AAAA' } }],
  ['the type of a registration', { clientData: { type: 'webauthn.create' } }],
  ['a different relying party', { rpId: 'evil.test' }],
  ['flags without user verification', { flags: 0x01 }],
  ['flags without user presence', { flags: 0x04 }],
  ['a signature by another key', { privateKey: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
  ['data that was changed after the signature', { after: (data) => Buffer.concat([data.subarray(0, 36), Buffer.from([9])]) }],
  ['data that is too short', { after: (data) => data.subarray(0, 36) }],
])('an assertion is rejected if it has %s', (_what, bend) => {
  expect(answers(bend)).toBe(false);
});

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const CLIENT_DATA = Buffer.from(JSON.stringify({ type: 'webauthn.get', challenge: CHALLENGE, origin: AT_HOME }));

test('signed authenticator data is accepted only with a complete counter', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
  const whole = Buffer.concat([sha256(RP), Buffer.of(0x05, 0, 0, 0, 0)]);
  const counts = (data: Buffer) =>
    isPasskeyAnswer({ publicKey: pem, relyingPartyId: RP }, CHALLENGE, {
      clientData: CLIENT_DATA.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', Buffer.concat([data, sha256(CLIENT_DATA)]), privateKey).toString('base64url'),
    });
  expect(counts(whole)).toBe(true);
  expect(counts(whole.subarray(0, -1))).toBe(false);
});

test('an assertion is rejected if the public key is not a key', () => {
  const { authenticatorData, signature } = createAuthenticator().assert(CHALLENGE, { rpId: RP });
  const answer = { clientData: CLIENT_DATA.toString('base64url'), authenticatorData, signature };
  expect(isPasskeyAnswer({ publicKey: 'no key', relyingPartyId: RP }, CHALLENGE, answer)).toBe(false);
});

test('a page on this machine is accepted for its own relying party without TLS', () => {
  const local = { rpId: 'localhost', ...from('http://localhost:3000') };
  expect(answers(local, { relyingPartyId: 'localhost' })).toBe(true);
  expect(answers({ rpId: 'localhost', ...from('http://127.0.0.1:3000') }, { relyingPartyId: 'localhost' })).toBe(false);
});

test('client data is rejected if it is not JSON or contains a member twice', () => {
  const passkey = createAuthenticator();
  const publicKey = createPublicKey(passkey.privateKey).export({ format: 'pem', type: 'spki' }).toString();
  const { authenticatorData, signature } = passkey.assert(CHALLENGE, { rpId: RP, clientData: { origin: AT_HOME } });
  for (const text of [
    '',
    'x',
    'null',
    `{"type":"webauthn.get","type":"webauthn.get","challenge":"${CHALLENGE}","origin":"${AT_HOME}"}`,
  ])
    expect(
      isPasskeyAnswer({ publicKey, relyingPartyId: RP }, CHALLENGE, {
        clientData: Buffer.from(text).toString('base64url'),
        authenticatorData,
        signature,
      }),
    ).toBe(false);
});
