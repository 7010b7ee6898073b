/**
 * The callers of an operation. `ServiceAccount` is a user acting through its own key, and `CustomerEmployee` includes tenant
 * users.
 */
export const CALLER_KINDS = ['CustomerEmployee', 'EndUser', 'ServiceAccount'] as const;

export type CallerKind = (typeof CALLER_KINDS)[number];

/** The person or program that makes a request: identified by the token and checked against the rows. */
export type Caller = {
  readonly orgId: string;
  readonly userId: string;
  readonly tokenId: string;
  readonly kind: CallerKind;
  /** True for a personal access token. Some operations refuse such a token regardless of its user's permissions. */
  readonly isPersonalToken: boolean;
  /** Operations that the caller's permissions allow. */
  readonly permissions: ReadonlySet<string>;
  /** The row id of the token's own credential. A token with a credential of its own signs with no other credential. */
  readonly credentialUuid?: string | undefined;
};
