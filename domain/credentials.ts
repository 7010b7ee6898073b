type CredentialRule = {
  /** In which place of a login or a user action it may stand. */
  readonly factor: 'first' | 'second' | 'either' | 'none';
  /** True where it proves nothing without a second one. */
  readonly requiresSecondFactor: boolean;
  /** True where it signs the challenge, so that the signature can be verified later by anybody. */
  readonly signs: boolean;
};

/** What each kind of credential may do (section Authentication; contract: `supportedCredentialKinds`). */
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

/** Whether somebody with exactly these active credentials can still come in: by one that is enough alone, or by two together. */
function canComeIn(kinds: readonly CredentialKind[]): boolean {
  if (kinds.some(canAuthorise)) return true;
  return kinds.some((kind) => FIRST_FACTOR_KINDS.includes(kind)) && kinds.some((kind) => SECOND_FACTOR_KINDS.includes(kind));
}

/**
 * Whether its owner can do without a credential of this kind when these stay active: whoever can sign must be able to afterwards,
 * and nobody may lock themselves out. A recovery key can always go.
 */
export function canDoWithout(kind: CredentialKind, remaining: readonly CredentialKind[]): boolean {
  if (CREDENTIAL_KINDS[kind].factor === 'none') return true;
  return canAuthorise(kind) ? remaining.some(canAuthorise) : canComeIn(remaining);
}

const SIGNING_MAX = 50;
const GUESSABLE_MAX = 2;

/** At most so many active credentials of one kind per person: each further one that can be guessed makes guessing easier. */
export const activeMax = (kind: CredentialKind): number => (CREDENTIAL_KINDS[kind].signs ? SIGNING_MAX : GUESSABLE_MAX);
