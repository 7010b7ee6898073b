export type PerformedOperation = {
  readonly id: string;
  readonly permission: string | null;
  readonly userAction: boolean;
  readonly secretBody?: true | undefined;
};

/** The maximum number of entries in one list, as in the published interface. */
export const AUDIT_ROWS_MAX = 100_000;

/** The record of an operator's command contains this text as the HTTP method, and the name of the command as the path. */
export const BY_OPERATOR = 'OPERATOR';

/**
 * The kinds of entries of the audit log, in this order: signed user actions that were carried out, refused signed requests,
 * charters that came into force, and commands of the operator. Names are durable.
 */
export const AUDIT_KINDS = ['UserAction', 'Refusal', 'Charter', 'OperatorCommand'] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** The commands that the audit log records. A rotation of the root key has one entry for each data key that it wraps again. */
export const AUDITED_COMMANDS = [
  'org:create',
  'org:join',
  'org:reissue',
  'org:service-account-votes',
  'keys:rotate-kek',
  'keys:rotate-dek',
  'keys:destroy-dek',
  'backup',
  'restore',
  'freeze',
  'reconcile --release',
] as const;
export type AuditedCommand = (typeof AUDITED_COMMANDS)[number];

/** The error codes of signed requests that are refused because of the signature or the caller's rights. */
export const REFUSAL_CODES = [
  'ChallengeInvalid',
  'CredentialUnusable',
  'Forbidden',
  'Unauthorized',
  'UserActionInvalid',
  'UserActionNotSeen',
  'UserActionUsed',
] as const;
export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** Limits the number of entries that one caller can cause by refused requests. */
export const REFUSALS_PER_HOUR_MAX = 60;

type AuditData = {
  /** A database trigger writes these entries, in the statement that uses up the action. */
  readonly UserAction: {
    readonly userId: string;
    readonly tokenId: string;
    readonly method: string;
    readonly path: string;
    readonly bodySha256: string;
    readonly challenge: string;
    readonly credentialUuid: string | null;
    readonly credentialKind: string | null;
  };
  readonly Refusal: {
    readonly userId: string;
    readonly tokenId: string;
    readonly method: string;
    readonly path: string;
    /** Null if the request was refused before its body was read. */
    readonly bodySha256: string | null;
    /** Null if the token of the action is not valid. */
    readonly userActionId: string | null;
    readonly code: RefusalCode;
  };
  readonly Charter: { readonly sequence: number; readonly digest: string };
  readonly OperatorCommand: { readonly command: AuditedCommand; readonly details: Readonly<Record<string, string | boolean>> };
};

export type NewAuditEntry = {
  readonly [K in Exclude<AuditKind, 'UserAction' | 'Refusal'>]: { readonly kind: K; readonly data: AuditData[K] };
}[Exclude<AuditKind, 'UserAction' | 'Refusal'>];
export type Refusal = AuditData['Refusal'];
