import { assertSeen } from '../../../application/user-actions/seen-actions';
import { CALLER_KINDS } from '../../../domain/callers';
import type { CredentialKind } from '../../../domain/credentials';
import { VERIFIER_ORIGIN } from '../../../platform/seen-assertions';

const PAGE = 'https://approve.example';
const encoded = (clientData: object) => Buffer.from(JSON.stringify(clientData)).toString('base64url');
const VERIFIED = encoded({ type: 'key.get', origin: VERIFIER_ORIGIN, shownSha256: 'ab'.repeat(32) });
const ON_PAGE = encoded({ type: 'webauthn.get', origin: PAGE });
const BLIND = encoded({ type: 'key.get', origin: 'https://api.example' });

type Factor = { readonly kind: CredentialKind; readonly clientData: string | null };
const signed = (first: Factor, second: Factor | null = null) => ({
  ...{ firstFactorKind: first.kind, clientData: first.clientData, secondFactor: second },
});
const codeOf = (action: ReturnType<typeof signed>, origins: readonly string[] | undefined = [PAGE]) => {
  try {
    assertSeen({ kind: 'CustomerEmployee' }, action, origins);
    return 'Seen';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const NOT_SEEN = 'UserActionNotSeen';

test.each<[string, Factor, Factor | null, string]>([
  ['a key in the verifying tool', { kind: 'Key', clientData: VERIFIED }, null, 'Seen'],
  ['a passkey on a listed page', { kind: 'Fido2', clientData: ON_PAGE }, null, 'Seen'],
  ['a key with a different origin', { kind: 'Key', clientData: BLIND }, null, NOT_SEEN],
  ['a key with the origin of a listed page', { kind: 'Key', clientData: ON_PAGE }, null, NOT_SEEN],
  ['a passkey with the origin of the verifying tool', { kind: 'Fido2', clientData: VERIFIED }, null, NOT_SEEN],
  ['a password-protected key', { kind: 'PasswordProtectedKey', clientData: VERIFIED }, null, NOT_SEEN],
  ['a password', { kind: 'Password', clientData: null }, { kind: 'Totp', clientData: null }, NOT_SEEN],
  ['a password and a seen passkey', { kind: 'Password', clientData: null }, { kind: 'Fido2', clientData: ON_PAGE }, 'Seen'],
  ['an unseen key and an unseen passkey', { kind: 'Key', clientData: BLIND }, { kind: 'Fido2', clientData: BLIND }, NOT_SEEN],
])('%s', (_title, first, second, expected) => {
  expect(codeOf(signed(first, second))).toBe(expected);
});

test('without a listed page, only signatures from the verifying tool are accepted as seen; without a demand, every signature passes', () => {
  expect(codeOf(signed({ kind: 'Fido2', clientData: ON_PAGE }), [])).toBe(NOT_SEEN);
  expect(codeOf(signed({ kind: 'Key', clientData: VERIFIED }), [])).toBe('Seen');
  const blind = signed({ kind: 'Key', clientData: BLIND });
  expect(() => assertSeen({ kind: 'EndUser' }, blind, undefined)).not.toThrow();
});

test('only people, and not programs, must have seen what they sign', () => {
  const blind = signed({ kind: 'Key', clientData: BLIND });
  const refused = CALLER_KINDS.filter((kind) => {
    try {
      assertSeen({ kind }, blind, [PAGE]);
      return false;
    } catch {
      return true;
    }
  });
  expect(refused).toEqual(['CustomerEmployee', 'EndUser']);
});
