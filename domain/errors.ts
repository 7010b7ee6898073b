/**
 * The HTTP status of each code, and whether a retry can help. Codes are durable names, because responses (`error.id`), Temporal
 * failures and the retry rules of activities contain codes.
 */
export const ERRORS = {
  InvalidRequest: { status: 400, retryable: false },
  MalformedJson: { status: 400, retryable: false },
  UnsupportedMediaType: { status: 415, retryable: false },
  BodyTooLarge: { status: 413, retryable: false },
  InvalidPaginationToken: { status: 400, retryable: false },
  InvalidCursor: { status: 400, retryable: false },
  InvalidAddress: { status: 400, retryable: false },
  NetworkNotEnabled: { status: 400, retryable: false },
  AssetNotSupported: { status: 400, retryable: false },
  CallReverted: { status: 400, retryable: false },
  SponsoredBlocked: { status: 400, retryable: false },
  ChallengeInvalid: { status: 400, retryable: false },
  AttestationInvalid: { status: 400, retryable: false },
  UserActionUsed: { status: 400, retryable: false },
  UserDeactivated: { status: 400, retryable: false },
  OwnState: { status: 400, retryable: false },
  FleetOutputInvalid: { status: 400, retryable: false },
  WebhookLimitReached: { status: 400, retryable: false },
  WebhookTargetRefused: { status: 400, retryable: false },
  Unauthorized: { status: 401, retryable: false },
  UserNotFound: { status: 401, retryable: false },
  UserExists: { status: 401, retryable: false },
  CredentialUnusable: { status: 401, retryable: false },
  Forbidden: { status: 403, retryable: false },
  UserActionInvalid: { status: 403, retryable: false },
  UserActionNotSeen: { status: 403, retryable: false },
  BeyondOwnRights: { status: 403, retryable: false },
  PolicyBlocked: { status: 403, retryable: false },
  RateLimited: { status: 429, retryable: true },
  NotFound: { status: 404, retryable: false },
  CursorBeyondAuditLog: { status: 404, retryable: false },
  CursorBeyondFeed: { status: 404, retryable: false },
  MethodNotAllowed: { status: 405, retryable: false },
  Conflict: { status: 409, retryable: false },
  CursorOfAnotherAuditLog: { status: 409, retryable: false },
  CursorOfAnotherFeed: { status: 409, retryable: false },
  PaidBeforeRestore: { status: 409, retryable: false },
  WrongState: { status: 409, retryable: false },
  LastAdministrator: { status: 409, retryable: false },
  LastCredential: { status: 409, retryable: false },
  NamedApprover: { status: 409, retryable: false },
  Unreachable: { status: 409, retryable: false },
  ChangePending: { status: 409, retryable: false },
  TargetFrozen: { status: 409, retryable: false },
  ApprovalClosed: { status: 409, retryable: false },
  AlreadyVoted: { status: 409, retryable: false },
  NothingSigned: { status: 409, retryable: false },
  Internal: { status: 500, retryable: false },
  NotReady: { status: 503, retryable: true },
  Frozen: { status: 503, retryable: true },
  NetworkUnavailable: { status: 503, retryable: true },
  IdentityProviderUnavailable: { status: 503, retryable: true },
  MailServerUnavailable: { status: 503, retryable: true },
  EncryptionUnavailable: { status: 503, retryable: true },
  SignerUnavailable: { status: 503, retryable: true },
  TransferWouldFail: { status: 400, retryable: false },
  EnvelopeMismatch: { status: 500, retryable: false },
  SignerRefused: { status: 500, retryable: false },
} as const satisfies Record<string, { status: number; retryable: boolean }>;

export type ErrorCode = keyof typeof ERRORS;

/** Responses may contain `message` and `details`; `cause` appears only in the logs. */
export class AppError extends Error {
  readonly status: number;
  readonly retryable: boolean;

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AppError';
    this.status = ERRORS[code].status;
    this.retryable = ERRORS[code].retryable;
  }
}

/** A broken invariant is a bug in this service: the response has status 500, and nothing is retried. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AppError('Internal', 'Internal Server Error', {}, new Error(`invariant: ${message}`));
}
