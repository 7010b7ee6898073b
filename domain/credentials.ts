type CredentialRule = {
  /** Which factor it may be in a login or a user action. */
  readonly factor: 'first' | 'second' | 'either' | 'none';
  /** True if it proves nothing without a second one. */
  readonly requiresSecondFactor: boolean;
  /** True if it signs the challenge, so that anyone can verify the signature later. */
  readonly signs: boolean;
};

/** The abilities of each kind of credential (section Authentication; contract: `supportedCredentialKinds`). */
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

/** Whether a credential of this kind can sign what its owner authorises. */
export const canAuthorise = (kind: CredentialKind): boolean =>
  CREDENTIAL_KINDS[kind].signs && CREDENTIAL_KINDS[kind].factor !== 'none';

/** Whether a user with exactly these active credentials can log in, with one that suffices alone or with two together. */
function canComeIn(kinds: readonly CredentialKind[]): boolean {
  if (kinds.some(canAuthorise)) return true;
  return kinds.some((kind) => FIRST_FACTOR_KINDS.includes(kind)) && kinds.some((kind) => SECOND_FACTOR_KINDS.includes(kind));
}

/**
 * Whether a credential of this kind may be removed if these stay active: a user who can sign must still be able to, and no one may lock themselves
 * out. A recovery key can always be removed.
 */
export function canDoWithout(kind: CredentialKind, remaining: readonly CredentialKind[]): boolean {
  if (CREDENTIAL_KINDS[kind].factor === 'none') return true;
  return canAuthorise(kind) ? remaining.some(canAuthorise) : canComeIn(remaining);
}

const SIGNING_MAX = 50;
const GUESSABLE_MAX = 2;

/** The most active credentials of one kind per person: each further guessable one makes guessing easier. */
export const activeMax = (kind: CredentialKind): number => (CREDENTIAL_KINDS[kind].signs ? SIGNING_MAX : GUESSABLE_MAX);
