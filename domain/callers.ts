/** A `ServiceAccount` is a program with its own key. A `CustomerEmployee` is a person of the organisation or its tenant. */
export const CALLER_KINDS = ['CustomerEmployee', 'EndUser', 'ServiceAccount'] as const;

export type CallerKind = (typeof CALLER_KINDS)[number];

/** The person or program that makes a request. */
export type Caller = {
  readonly orgId: string;
  readonly userId: string;
  readonly tokenId: string;
  readonly kind: CallerKind;
  /** Some operations refuse a personal access token regardless of its user's permissions. */
  readonly isPersonalToken: boolean;
  readonly permissions: ReadonlySet<string>;
  /** The row id of the token's own credential. A caller with such a token can sign only with this credential. */
  readonly credentialUuid?: string | undefined;
};
