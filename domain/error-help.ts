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
    cause: 'A field of the path, the query or the body is missing, unknown, of the wrong form, or does not fit another field.',
    remedy:
      'Correct the fields that `details.issues` lists by `path` and `message`, then send the request with a new user action.',
  },
  MalformedJson: {
    cause: 'The body is not JSON, or the connection ended before the whole body had arrived.',
    remedy: 'Send one complete JSON value in UTF-8 whose length agrees with `Content-Length`.',
  },
  UnsupportedMediaType: {
    cause: 'The `Content-Type` is not the one that the operation takes, or the body is compressed.',
    remedy:
      'Send `application/json` in UTF-8 without `Content-Encoding`; an operation that takes a file requires `multipart/form-data` with the parts `data` and `file`.',
  },
  BodyTooLarge: {
    cause: 'The body is larger than `details.bytesMax`: 1 MiB for JSON, 8 MiB for a form with a file.',
    remedy: 'Send less in one request.',
  },
  InvalidPaginationToken: {
    cause: 'The `paginationToken` was not issued by a list of this service, or was changed on the way.',
    remedy: 'Pass `nextPageToken` of the previous page unchanged, or leave it out and start with the first page.',
  },
  InvalidCursor: {
    cause: 'The cursor of the feed or of the audit log does not have the form of a sequence, a hyphen and 64 hex digits.',
    remedy: 'Send `nextCursor` of the previous answer unchanged, or leave `after` out and start with the first item.',
  },
  InvalidAddress: {
    cause:
      'The text is not an address of the network: its form, its length or its checksum is wrong, or it belongs to another network.',
    remedy: 'Copy the whole address from its source, and check that it belongs to the network of the wallet.',
  },
  NetworkNotEnabled: {
    cause:
      'No node of the network is configured, the network is unknown or retired, the network does not offer the requested feature, the network is a mainnet that the charter of the organisation does not name, or an end user cannot have a wallet on the network.',
    remedy:
      'Use a network that `GET /networks` lists with `isEnabled`; the operator enables a network by naming its nodes in `NETWORK_RPC_URLS`. A mainnet also needs a charter of the organisation that names the mainnet.',
  },
  AssetNotSupported: {
    cause:
      'The network does not have the asset or the kind of request, there is no token at the contract, or the decimals of the token differ from those in the request.',
    remedy: 'Check the contract, the network and the `kind`; `message` names the value that does not fit.',
  },
  CallReverted: {
    cause: 'The contract reverted the requested read.',
    remedy: 'Check the function, its arguments and the contract; `details.reason` contains the message of the node.',
  },
  SponsoredBlocked: {
    cause: 'A policy rejected a request whose fee a sponsor should pay. The rejected request stays on record.',
    remedy:
      'Read the record that `details.requestId` names, and request something that the policies allow; the same policy rejects a repetition.',
  },
  ChallengeInvalid: {
    cause: 'The challenge has expired, was already answered, was replaced by a newer one, or belongs to another user or session.',
    remedy: 'Request a new challenge, and answer it in the session that requested it.',
  },
  AttestationInvalid: {
    cause:
      'The proof of a new credential does not answer the challenge, its key is of an unsupported kind, or its id or key belongs to another credential.',
    remedy:
      'Create the credential for the current challenge, with a key that no other credential has. A password needs a second factor at the same time.',
  },
  UserActionUsed: {
    cause:
      'The signed action has already authorised a change, or the credential or the user was deactivated after signing. Each action authorises one change.',
    remedy:
      'Check whether the first request took effect, and if not, announce and sign a new action. A repetition with the same `externalId` does not create a second record.',
  },
  UserDeactivated: {
    cause: 'The account of the user is deactivated.',
    remedy: 'An administrator activates it with `PUT /auth/users/{userId}/activate`.',
  },
  OwnState: {
    cause: 'A user or a service account tried to activate, deactivate or archive itself.',
    remedy: 'Have another administrator make the change.',
  },
  WebhookLimitReached: {
    cause: 'The organisation has reached the maximum number of webhooks, which `details.limit` contains.',
    remedy: 'Delete a webhook that is no longer needed, or subscribe an existing webhook to more events.',
  },
  WebhookTargetRefused: {
    cause: 'The address of the webhook is not public, does not use https, or holds a user name and a password.',
    remedy: 'Use a public https address without credentials in it; `message` has the reason for the refusal.',
  },
  Unauthorized: {
    cause:
      'The bearer token is missing, expired, revoked or not issued here, or a credential, a code or a signature did not prove the identity of the caller. The response never says which of these applies.',
    remedy: 'Log in again or use a valid token, and check that the clock of the machine is right.',
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
      'The user has no active credential that can answer this challenge, the credential belongs to another user or is of another kind, or it is not a recovery key.',
    remedy: 'Use a credential that the challenge lists; a recovery needs a credential of kind `RecoveryKey`.',
  },
  Forbidden: {
    cause:
      'The caller lacks the permission, is of a kind that may not call the operation, has given a wrong one-time code, or may not decide about this approval.',
    remedy: 'Ask an administrator for the permission that `message` names, or let a user with this permission act.',
  },
  UserActionInvalid: {
    cause:
      'The header `x-svc-useraction` is missing, expired or of another session, or it was signed for another method, path or body. A vote must also cover the approval as it stands now.',
    remedy:
      'Announce exactly the bytes that are sent, sign the challenge, and send the request soon after with the same session. Before a vote, read the approval again.',
  },
  UserActionNotSeen: {
    cause:
      'The charter of the organisation demands that people see what they sign with this operation, and the user action was signed with neither `strongroom-verify` nor a passkey on a page that the charter lists. The signer would not count the signature, so nothing was recorded.',
    remedy:
      'Announce the request again, and sign it with `strongroom-verify`, or with a passkey on one of the pages in `details.origins`. A denying vote is not subject to this demand.',
  },
  BeyondOwnRights: {
    cause: 'The permission contains operations that the user who assigns it does not have; `details.operations` lists them.',
    remedy:
      'Leave those operations out, or have a user with all of them make the change. The organisation can allow such a change with the setting `grantBeyondOwnRights`.',
  },
  PolicyBlocked: {
    cause: 'A policy blocks the change, or asks for an approval that this request cannot wait for.',
    remedy:
      'Request something that the policies allow, or change the policy that `message` names; this change may need approval too.',
  },
  RateLimited: {
    cause:
      'The address, the user or the token has sent more requests than its limit allows, or too many streams of the feed are open.',
    remedy:
      'Wait for the seconds in `Retry-After`, then send the same request; the operator sets other limits with `RATE_LIMITS`.',
  },
  NotFound: {
    cause:
      'There is no such path or record in the organisation of the caller. A request for a record of another organisation, or for a record that the caller may not see, gets the same response.',
    remedy: 'Check the id, the path and the organisation of the token.',
  },
  CursorBeyondAuditLog: {
    cause:
      'The cursor is beyond the last entry of the audit log, whose sequence is `details.sequence`: the cursor was altered, the database was restored from a backup, or entries were removed.',
    remedy:
      'If you verified the entries up to the cursor, the service has lost entries: tell the operator, and keep the cursor and your checkpoints as proof.',
  },
  CursorBeyondFeed: {
    cause:
      'The cursor is beyond the last event of the feed, whose sequence is `details.sequence`: the cursor was altered, or the database was restored from a backup and lacks later events.',
    remedy:
      'If you verified the events up to the cursor, the service has lost events: tell the operator, and do not continue with an older cursor before you know why.',
  },
  MethodNotAllowed: {
    cause: 'The path exists but does not support the method.',
    remedy: 'Use a method that the header `Allow` lists.',
  },
  Conflict: {
    cause:
      'A record with the same `externalId`, name, key or target exists and differs from the requested one, or another request has claimed the nonce, the coin or the path.',
    remedy:
      'Read the record that `details` names: repeat its request exactly to get it again, or choose another `externalId` or name.',
  },
  CursorOfAnotherAuditLog: {
    cause:
      'The entry at this position has another hash: the cursor was altered or belongs to another organisation, or the past of the audit log was changed.',
    remedy:
      'Check the organisation of the token. If the cursor is the one that you stored, tell the operator, and verify the audit log with your checkpoints.',
  },
  CursorOfAnotherFeed: {
    cause:
      'The event at this position has another hash: the cursor was altered or belongs to another organisation, or the past of the feed was changed, for example by a restore from a backup.',
    remedy:
      'Check the organisation of the token. If the cursor is exactly as you stored it, tell the operator, and compare your events with the feed from the beginning.',
  },
  PaidBeforeRestore: {
    cause:
      'The signer signed this payment before the database was restored from a backup, and the database has forgotten it. A second payment is refused.',
    remedy:
      'Look on the chain for the payment that `details` describes. If a second payment is intended, request it with another `externalId` and, if it equals the first, after the date that was set when the freeze was released.',
  },
  WrongState: {
    cause: 'The record is in a state that does not allow the change: archived, ended, expired, immutable, or not yet ready.',
    remedy: 'Read the record again and act on its current state.',
  },
  LastAdministrator: {
    cause: 'The change would leave the organisation without an active administrator with full access who can sign in.',
    remedy:
      'Give another person full access first, or configure an identity provider before you make it mandatory for administrators.',
  },
  LastCredential: {
    cause: 'The change would leave the user without a credential that can sign or log in.',
    remedy: 'Add another credential first.',
  },
  NamedApprover: {
    cause: 'Active policies name the user as an approver; `details.policies` lists them.',
    remedy: 'Change or archive these policies first, then repeat the change.',
  },
  Unreachable: {
    cause:
      'After the change, approvals of some policies could no longer reach their quorum, and the setting `refuseUnreachable` of the organisation refuses such changes.',
    remedy: 'Add approvers, or lower the quorum in the policies that `details.policies` lists, then repeat the change.',
  },
  ChangePending: {
    cause: 'Another change of the same record is waiting for approval.',
    remedy: 'Have the approval that `details.approvalId` names decided or withdrawn, then repeat the change.',
  },
  TargetFrozen: {
    cause: 'The wallet, the key, the network or the organisation is frozen by the freeze that `details.freezeId` names.',
    remedy: 'Release the freeze once its reason is settled, then repeat the request.',
  },
  ApprovalClosed: {
    cause: 'The approval was decided, withdrawn or has expired; `details.status` says which of these happened.',
    remedy: 'Nothing is left to decide. Request the activity again if it is still wanted.',
  },
  AlreadyVoted: {
    cause: 'The user has already voted on this approval. A vote is final.',
    remedy: 'Have another approver decide.',
  },
  Internal: {
    cause: 'An internal fault of the service. The response does not describe it.',
    remedy:
      'Give the operator the value of the header `x-request-id`; the log has the cause under this id. Check whether the request took effect before you repeat it.',
  },
  NotReady: {
    cause:
      'The database or the workflow service cannot be reached, or the work takes longer than the request may wait. Work that has begun continues.',
    remedy:
      'Send the same request again, with the same `externalId` where it has one, or read the record that `details` names. `GET /health/ready` tells the operator which part is missing.',
  },
  Frozen: {
    cause: 'The whole deployment is frozen, after a restore or by its operator: records can be read but not changed.',
    remedy:
      'The operator runs `npm run reconcile`, which shows the reason and the findings, and releases the deployment with `--release`.',
  },
  NetworkUnavailable: {
    cause: 'No node of the network responded, the nodes do not agree, or a node sent an impossible reply.',
    remedy:
      'Send the same request again; requests under way continue automatically. The operator checks the nodes in `NETWORK_RPC_URLS`.',
  },
  IdentityProviderUnavailable: {
    cause: 'The identity provider of the organisation did not respond, or its response is not OpenID Connect.',
    remedy: 'Log in again later; an administrator checks the issuer in the settings of the organisation.',
  },
  MailServerUnavailable: {
    cause: 'No mail server is configured, or the mail server did not accept the mail. The mail is retried until it expires.',
    remedy: 'The operator checks `SMTP_URL` and `MAIL_FROM`, and the log of the worker.',
  },
  EncryptionUnavailable: {
    cause:
      'The service that encrypts confidential amounts is not configured for the network, or did not answer. The transfer waits.',
    remedy: 'The operator checks `confidentialAmounts` in `NETWORK_SETTINGS`; the transfer then continues automatically.',
  },
  SignerUnavailable: {
    cause: 'The signer cannot be reached, is busy or frozen, or considers the order outdated. The request waits.',
    remedy:
      'The operator checks that the signer runs and that `SIGNER_SOCKET` or `SIGNER_URL` names it; the request then continues automatically.',
  },
  TransferWouldFail: {
    cause:
      'The network would refuse the transaction: the wallet lacks funds for the amount or the fee, the fee is too low, a nonce is used, or the contract reverts.',
    remedy: 'Correct what `message` names, for example by funding the wallet, and send the request again.',
  },
  EnvelopeMismatch: {
    cause: 'The bytes that were built or signed differ from what was approved. The service stops before anything is sent.',
    remedy:
      'Do not repeat the request. The operator compares the record with the log and reports the difference, because the cause is a fault of the service or of a node.',
  },
  SignerRefused: {
    cause: 'The signer refused the order by its own rules; `details.reason` names the rule.',
    remedy:
      'The operator looks up the reason in the log of the signer. Some rules have a switch or a limit in the configuration of the signer; do not relax a rule only to let one request pass.',
  },
};
