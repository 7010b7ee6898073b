import { isSeenAssertion, VERIFIER_ORIGIN } from '../../platform/seen-assertions';

const PAGE = 'https://check.example.com';
const DIGEST = 'ab'.repeat(32);
const encoded = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');
const ofKey = (members: object): string =>
  encoded(JSON.stringify({ type: 'key.get', challenge: 'c', origin: VERIFIER_ORIGIN, shownSha256: DIGEST, ...members }));
const ofPasskey = (members: object): string =>
  encoded(JSON.stringify({ type: 'webauthn.get', challenge: 'c', origin: PAGE, ...members }));

test('an assertion from strongroom-verify is accepted as seen if it contains the digest of the shown text', () => {
  expect(isSeenAssertion('Key', ofKey({}), [])).toBe(true);
});

test.each<[string, object]>([
  ['a different origin', { origin: 'https://strongroom-verify' }],
  ['the origin of a listed page', { origin: PAGE }],
  ['no origin', { origin: undefined }],
  ['no digest', { shownSha256: undefined }],
  ['a digest of 63 characters', { shownSha256: DIGEST.slice(1) }],
  ['a digest of 65 characters', { shownSha256: `${DIGEST}a` }],
  ['a digest in capitals', { shownSha256: DIGEST.toUpperCase() }],
  ['the type of a passkey', { type: 'webauthn.get' }],
])('an assertion of a key with %s is not accepted as seen', (_words, members) => {
  expect(isSeenAssertion('Key', ofKey(members), [PAGE])).toBe(false);
});

test('an assertion of a passkey on a listed page is accepted as seen', () => {
  expect(isSeenAssertion('Fido2', ofPasskey({}), ['https://other.example.com', PAGE])).toBe(true);
});

test.each<[string, object]>([
  ['a different page', { origin: 'https://example.com' }],
  ['a different port', { origin: `${PAGE}:8443` }],
  ['an unencrypted page', { origin: 'http://check.example.com' }],
  ['a subdomain of the listed page', { origin: 'https://a.check.example.com' }],
  ['the origin of strongroom-verify', { origin: VERIFIER_ORIGIN, shownSha256: DIGEST }],
  ['the type of a key', { type: 'key.get' }],
])('an assertion of a passkey with %s is not accepted as seen', (_words, members) => {
  expect(isSeenAssertion('Fido2', ofPasskey(members), [PAGE])).toBe(false);
});

test('client data that is malformed or contains a member twice is not accepted as seen', () => {
  const twice = `{"type":"key.get","origin":"https://x","origin":"${VERIFIER_ORIGIN}","shownSha256":"${DIGEST}"}`;
  for (const text of ['', '{', '[]', 'null', twice]) expect(isSeenAssertion('Key', encoded(text), [])).toBe(false);
  expect(isSeenAssertion('Fido2', ofPasskey({}), [])).toBe(false);
});
