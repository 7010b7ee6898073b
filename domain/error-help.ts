import type { ErrorCode } from './errors';

export type ErrorHelp = {
  /** One or two sentences about when the code is returned. */
  readonly cause: string;
  /** One or two sentences about what the caller or the operator can do. */
  readonly remedy: string;
};

/**
 * The text of `docs/errors.md` and `GET /docs/errors`. Every workflow bundle loads the catalogue of errors, so the texts are
 * not part of the catalogue.
 */
export const ERROR_HELP: Readonly<Record<ErrorCode, ErrorHelp>> = {
  InvalidRequest: {
    cause: 'A field in the path, the query or the body is missing, unknown or malformed, or does not fit another field.',
    remedy:
      'Correct the fields that `details.issues` lists by `path` and `message`, then send the request with a new user action.',
  },
  MalformedJson: {
    cause: 'The body is not JSON, or the connection ended before the whole body had arrived.',
    remedy: 'Send one complete JSON value in UTF-8 whose length agrees with `Content-Length`.',
  },
  UnsupportedMediaType: {
    cause: 'The operation does not accept this `Content-Type`, or the body is compressed.',
    remedy:
      'Send `application/json` in UTF-8 without `Content-Encoding`; an operation that accepts a file requires ' +
      '`multipart/form-data` with the parts `data` and `file`.',
  },
  BodyTooLarge: {
    cause: 'The body is larger than `details.bytesMax`: 1 MiB for JSON, 8 MiB for a form with a file.',
    remedy: 'Send a smaller body.',
  },
  InvalidPaginationToken: {
    cause: 'The `paginationToken` did not come from a list of this service, or was changed on the way.',
    remedy:
      'Send `nextPageToken` from the previous page unchanged, or leave `paginationToken` out and start with the first page.',
  },
  InvalidCursor: {
    cause: 'The cursor of the feed or of the audit log does not have the form of a sequence, a hyphen and 64 hex digits.',
    remedy: 'Send `nextCursor` from the previous response unchanged, or leave `after` out and start with the first item.',
  },
  InvalidAddress: {
    cause:
      'The text is not an address on the network: its format, its length or its checksum is wrong, or the address belongs to ' +
      'another network.',
    remedy: 'Copy the whole address from its source, and check that it belongs to the network of the wallet.',
  },
  NetworkNotEnabled: {
    cause:
      'No node of the network is configured, the network is unknown or retired, the network does not offer the requested ' +
      'feature, the network is a mainnet that the charter of the organisation does not list, or an end user cannot have a ' +
      'wallet on the network.',
    remedy:
      'Use a network that `GET /networks` lists with `isEnabled`; the operator enables a network by listing its nodes in ' +
      '`NETWORK_RPC_URLS`. A mainnet must also be listed in the charter of the organisation.',
  },
  AssetNotSupported: {
    cause:
      'The network does not support the asset or the kind of request, the contract is not a token, or the decimals of the ' +
      'token differ from those in the request.',
    remedy: 'Check the contract, the network and the `kind`; `message` names the value that does not fit.',
  },
  CallReverted: {
    cause: 'The contract reverted the requested call.',
    remedy: 'Check the function, its arguments and the contract; `details.reason` contains the message from the node.',
  },
  SponsoredBlocked: {
    cause: 'A policy rejected a request whose fee a sponsor was supposed to pay. The rejected request stays on record.',
    remedy:
      'Read the record that `details.requestId` names, and make a request that the policies allow; the same policy would ' +
      'reject the same request again.',
  },
  ChallengeInvalid: {
    cause:
      'The challenge has expired, was already completed, was replaced by a newer challenge, or belongs to another user or ' +
      'session.',
    remedy: 'Request a new challenge, and complete it in the same session.',
  },
  AttestationInvalid: {
    cause:
      'The proof of a new credential does not match the challenge, the credential has an unsupported kind of key, or its id ' +
      'or key belongs to another credential.',
    remedy:
      'Create the credential for the current challenge, with a key that no other credential has. A password must be created ' +
      'together with a second factor.',
  },
  UserActionUsed: {
    cause:
      'The signed action has already authorised a change, or the credential or the user was deactivated after signing. Each action authorises one change.',
    remedy:
      'Check whether the first request took effect, and if not, announce and sign a new action. A second request with the ' +
      'same `externalId` does not create a second record.',
  },
  UserDeactivated: {
    cause: 'The account of the user is deactivated.',
    remedy: 'An administrator activates it with `PUT /auth/users/{userId}/activate`.',
  },
  OwnState: {
    cause: 'A user or a service account tried to activate, deactivate or archive itself.',
    remedy: 'Have another administrator make the change.',
  },
  FleetOutputInvalid: {
    cause: 'The output of a fleet operation has a fault. `details.check` names the first check that failed.',
    remedy: 'Submit the files exactly as the device wrote them. If the check fails again, cancel the group and begin it again.',
  },
  NothingSigned: {
    cause: 'The output of an offline device is genuine, but the device has signed none of the requests. The group has ended.',
    remedy: 'Read the reasons on the screen of the device or in its output. The requests wait for the next group.',
  },
  WebhookLimitReached: {
    cause: 'The organisation has reached the maximum number of webhooks, which is in `details.limit`.',
    remedy: 'Delete a webhook that is no longer needed, or subscribe an existing webhook to more events.',
  },
  WebhookTargetRefused: {
    cause: 'The address of the webhook is not public, does not use https, or contains a user name and a password.',
    remedy: 'Use a public https address without credentials; `message` contains the reason for the refusal.',
  },
  Unauthorized: {
    cause:
      'The bearer token is missing, expired, revoked or was not issued here, or a credential, a code or a signature did not ' +
      'prove the identity of the caller. The response never states which of these reasons applies.',
    remedy: 'Log in again or use a valid token, and check that the clock of your machine is right.',
  },
  UserNotFound: {
    cause: 'No registered end user of the organisation has this name.',
    remedy: 'Check `username`; a delegated login or recovery is for end users whose registration is complete.',
  },
  UserExists: {
    cause: 'The name already belongs to a user, or the user has completed the registration.',
    remedy: 'Log in as the existing user, or choose another name.',
  },
  CredentialUnusable: {
    cause:
      'The user has no active credential that can sign this challenge, or the credential belongs to another user, has the ' +
      'wrong kind, or is not a recovery key.',
    remedy: 'Use a credential that the challenge lists; a recovery needs a credential with the kind `RecoveryKey`.',
  },
  Forbidden: {
    cause:
      'The caller lacks the permission, belongs to a kind of caller that may not call the operation, has sent a wrong ' +
      'one-time code, or may not decide on this approval.',
    remedy: 'Ask an administrator for the permission that `message` names, or let a user with this permission act.',
  },
  UserActionInvalid: {
    cause:
      'The header `x-svc-useraction` is missing, has expired, belongs to another session, or was signed for a different ' +
      'method, path or body. A vote must also cover the current state of the approval.',
    remedy:
      'Announce exactly the bytes that you will send, sign the challenge, and then send the request promptly in the same ' +
      'session. Before a vote, read the approval again.',
  },
  UserActionNotSeen: {
    cause:
      'The charter of the organisation requires that people see the content that they sign with this operation, and the user ' +
      'action was signed with neither `strongroom-verify` nor a passkey on a page that the charter lists. The signer would ' +
      'not accept the signature, so nothing was recorded.',
    remedy:
      'Announce the request again, and sign it with `strongroom-verify`, or with a passkey on one of the pages in ' +
      '`details.origins`. A denying vote is not subject to this requirement.',
  },
  BeyondOwnRights: {
    cause: 'The permission contains operations that the user who assigns it does not have; `details.operations` lists them.',
    remedy:
      'Leave those operations out, or have a user with all of them make the change. The organisation can allow such a change with the setting `grantBeyondOwnRights`.',
  },
  PolicyBlocked: {
    cause: 'A policy blocks the change, or requires an approval for which this request cannot wait.',
    remedy:
      'Make a request that the policies allow, or change the policy that `message` names; that change might need approval too.',
  },
  RateLimited: {
    cause:
      'More requests than the limit allows came from the address, the user or the token, or too many streams of the feed are ' +
      'open.',
    remedy:
      'Wait for the number of seconds in `Retry-After`, then send the same request; the operator can change the limits with ' +
      '`RATE_LIMITS`.',
  },
  NotFound: {
    cause:
      'The path does not exist, or the organisation of the caller has no such record. A request for a record of another ' +
      'organisation, or for a record that the caller may not see, receives the same response.',
    remedy: 'Check the id, the path and the organisation of the token.',
  },
  CursorBeyondAuditLog: {
    cause:
      'The cursor is beyond the last entry of the audit log, whose sequence is `details.sequence`: the cursor was changed, ' +
      'the database was restored from a backup, or entries were removed.',
    remedy:
      'If you verified the entries up to the cursor, the service has lost entries: inform the operator, and keep the cursor ' +
      'and your checkpoints as proof.',
  },
  CursorBeyondFeed: {
    cause:
      'The cursor is beyond the last event of the feed, whose sequence is `details.sequence`: the cursor was changed, or the ' +
      'database was restored from a backup and lacks later events.',
    remedy:
      'If you verified the events up to the cursor, the service has lost events: inform the operator, and do not continue ' +
      'with an older cursor before you know the reason.',
  },
  MethodNotAllowed: {
    cause: 'The path exists but does not support the method.',
    remedy: 'Use a method that the header `Allow` lists.',
  },
  Conflict: {
    cause:
      'A record with the same `externalId`, name, key or target exists and differs from the requested record, or another ' +
      'request has reserved the nonce, the coin or the path.',
    remedy:
      'Read the record that `details` names: repeat its request exactly to receive the record again, or choose a different ' +
      '`externalId` or name.',
  },
  CursorOfAnotherAuditLog: {
    cause:
      'The entry at this position has a different hash: the cursor was changed or belongs to another organisation, or earlier ' +
      'entries of the audit log were changed.',
    remedy:
      'Check the organisation of the token. If the cursor is exactly as you stored it, inform the operator, and verify the ' +
      'audit log with your checkpoints.',
  },
  CursorOfAnotherFeed: {
    cause:
      'The event at this position has a different hash: the cursor was changed or belongs to another organisation, or earlier ' +
      'events of the feed were changed, for example by a restore from a backup.',
    remedy:
      'Check the organisation of the token. If the cursor is exactly as you stored it, inform the operator, and compare your ' +
      'events with the feed from the beginning.',
  },
  PaidBeforeRestore: {
    cause:
      'The signer signed this payment before the database was restored from a backup, and the restored database has no record ' +
      'of the payment. A second payment is refused.',
    remedy:
      'Look on the chain for the payment that `details` describes. If a second payment is intended, request the payment with ' +
      'a different `externalId`; if it equals the first payment, also wait until the date that was set when the freeze was ' +
      'released.',
  },
  WrongState: {
    cause: 'The record is in a state that does not allow the change: archived, ended, expired, immutable, or not yet ready.',
    remedy: 'Read the record again and act on its current state.',
  },
  LastAdministrator: {
    cause: 'After the change, the organisation would have no active administrator with full access who can sign in.',
    remedy:
      'Give another person full access first, or configure an identity provider before you make it mandatory for administrators.',
  },
  LastCredential: {
    cause: 'After the change, the user would have no credential that can sign or log in.',
    remedy: 'Add another credential first.',
  },
  NamedApprover: {
    cause: 'Active policies list the user as an approver; `details.policies` contains these policies.',
    remedy: 'Change or archive these policies first, then repeat the change.',
  },
  Unreachable: {
    cause:
      'After the change, approvals of some policies could no longer reach their quorum, and the organisation has the setting ' +
      '`refuseUnreachable`, which forbids such changes.',
    remedy: 'Add approvers, or lower the quorum in the policies that `details.policies` lists, then repeat the change.',
  },
  ChangePending: {
    cause: 'Another change of the same record is waiting for approval.',
    remedy: 'Wait until the approval in `details.approvalId` is decided, or withdraw it, then repeat the change.',
  },
  TargetFrozen: {
    cause: 'The wallet, the key, the network or the organisation is frozen by the freeze that `details.freezeId` names.',
    remedy: 'Release the freeze once its reason is settled, then repeat the request.',
  },
  ApprovalClosed: {
    cause: 'The approval has been decided or withdrawn, or has expired; `details.status` states which of these happened.',
    remedy: 'This approval can no longer be decided. Request the activity again if it is still wanted.',
  },
  AlreadyVoted: {
    cause: 'The user has already voted on this approval. A vote is final.',
    remedy: 'Ask another approver to vote.',
  },
  Internal: {
    cause: 'The service has an internal fault, which the response does not describe.',
    remedy:
      'Give the operator the value of the header `x-request-id`; the log contains the cause under this id. Check whether the ' +
      'request took effect before you repeat it.',
  },
  NotReady: {
    cause:
      'The database or the workflow service cannot be reached, or the work takes longer than the request can wait. Work that ' +
      'has begun continues.',
    remedy:
      'Send the same request again, with the same `externalId` if it had one, or read the record that `details` names. `GET ' +
      '/health/ready` shows the operator which part is missing.',
  },
  Frozen: {
    cause: 'A restore or the operator has frozen the whole deployment: records can be read but not changed.',
    remedy:
      'The operator runs `npm run reconcile`, which shows the reason and the findings, and then runs it with `--release`, ' +
      'which ends the freeze.',
  },
  NetworkUnavailable: {
    cause: 'No node of the network responded, the nodes do not agree, or a node sent an impossible reply.',
    remedy:
      'Send the same request again; requests under way continue automatically. The operator checks the nodes in `NETWORK_RPC_URLS`.',
  },
  IdentityProviderUnavailable: {
    cause: 'The identity provider of the organisation did not respond, or its response does not conform to OpenID Connect.',
    remedy: 'Log in again later; an administrator checks the issuer in the settings of the organisation.',
  },
  MailServerUnavailable: {
    cause: 'No mail server is configured, or the mail server did not accept the mail. The mail is retried until it expires.',
    remedy: 'The operator checks `SMTP_URL` and `MAIL_FROM`, and the log of the worker.',
  },
  EncryptionUnavailable: {
    cause:
      'The service that encrypts confidential amounts is not configured for the network, or did not respond. The transfer waits.',
    remedy: 'The operator checks `confidentialAmounts` in `NETWORK_SETTINGS`; the transfer then continues automatically.',
  },
  SignerUnavailable: {
    cause: 'The signer cannot be reached, is busy or frozen, or considers the order outdated. The request waits.',
    remedy:
      'The operator checks that the signer runs and that `SIGNER_SOCKET` or `SIGNER_URL` is its address; the request then ' +
      'continues automatically.',
  },
  TransferWouldFail: {
    cause:
      'The network would refuse the transaction: the wallet lacks funds for the amount or the fee, the fee is too low, a nonce is used, or the contract reverts.',
    remedy: 'Correct the fault that `message` names, for example by funding the wallet, and send the request again.',
  },
  EnvelopeMismatch: {
    cause: 'The bytes that were built or signed differ from the approved content. The service stops before it sends anything.',
    remedy:
      'Do not repeat the request. The operator compares the record with the log and reports the difference, because the cause is a fault of the service or of a node.',
  },
  SignerRefused: {
    cause: 'The signer refused the order because of its own rules; `details.reason` names the rule.',
    remedy:
      'The operator looks up the reason in the log of the signer. Some rules have a switch or a limit in the configuration of ' +
      'the signer; do not relax a rule just to let one request pass.',
  },
};
