type CredentialRule = {
  /** Whether the credential is the first or the second factor of a login or a user action. */
  readonly factor: 'first' | 'second' | 'either' | 'none';
  readonly requiresSecondFactor: boolean;
  /** True if the credential signs the challenge, so that anyone can verify the signature later. */
  readonly signs: boolean;
};

/** From the published interface (`supportedCredentialKinds`). */
export const CREDENTIAL_KINDS = {
  Fido2: { factor: 'either', requiresSecondFactor: false, signs: true },
  Key: { factor: 'either', requiresSecondFactor: false, signs: true },
  PasswordProtectedKey: { factor: 'either', requiresSecondFactor: false, signs: true },
  Password: { factor: 'first', requiresSecondFactor: true, signs: false },
  Totp: { factor: 'second', requiresSecondFactor: false, signs: false },
  RecoveryKey: { factor: 'none', requiresSecondFactor: false, signs: true },
} as const satisfies Record<string, CredentialRule>;

export type CredentialKind = keyof typeof CREDENTIAL_KINDS;

const KINDS = Object.keys(CREDENTIAL_KINDS) as CredentialKind[];

export const FIRST_FACTOR_KINDS = KINDS.filter((kind) => ['first', 'either'].includes(CREDENTIAL_KINDS[kind].factor));
export const SECOND_FACTOR_KINDS = KINDS.filter((kind) => ['second', 'either'].includes(CREDENTIAL_KINDS[kind].factor));

export const canAuthorise = (kind: CredentialKind): boolean =>
  CREDENTIAL_KINDS[kind].signs && CREDENTIAL_KINDS[kind].factor !== 'none';

/** Whether these active credentials are enough for a login: a credential that can sign, or a first and a second factor. */
function canComeIn(kinds: readonly CredentialKind[]): boolean {
  if (kinds.some(canAuthorise)) return true;
  return kinds.some((kind) => FIRST_FACTOR_KINDS.includes(kind)) && kinds.some((kind) => SECOND_FACTOR_KINDS.includes(kind));
}

/**
 * Whether a credential of this kind may be removed. A user who can sign must still be able to sign, and no user may be locked
 * out. A recovery key can always be removed.
 */
export function canDoWithout(kind: CredentialKind, remaining: readonly CredentialKind[]): boolean {
  if (CREDENTIAL_KINDS[kind].factor === 'none') return true;
  return canAuthorise(kind) ? remaining.some(canAuthorise) : canComeIn(remaining);
}

const SIGNING_MAX = 50;
const GUESSABLE_MAX = 2;

/** The limit is low for guessable kinds, because every additional credential makes guessing easier. */
export const activeMax = (kind: CredentialKind): number => (CREDENTIAL_KINDS[kind].signs ? SIGNING_MAX : GUESSABLE_MAX);
