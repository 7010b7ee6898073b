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
