/**
 * The kinds of callers. A `ServiceAccount` is a program with a key of its own. A `CustomerEmployee` is a person of the
 * organisation or of its tenant.
 */
export const CALLER_KINDS = ['CustomerEmployee', 'EndUser', 'ServiceAccount'] as const;

export type CallerKind = (typeof CALLER_KINDS)[number];

/**
 * The person or program that makes a request. The token identifies the caller, and the service checks the token against the
 * rows.
 */
export type Caller = {
  readonly orgId: string;
  readonly userId: string;
  readonly tokenId: string;
  readonly kind: CallerKind;
  /** True for a personal access token. Some operations refuse such a token regardless of its user's permissions. */
  readonly isPersonalToken: boolean;
  /** Operations that the caller's permissions allow. */
  readonly permissions: ReadonlySet<string>;
  /** The row id of the token's own credential. A caller with such a token can sign only with this credential. */
  readonly credentialUuid?: string | undefined;
};
