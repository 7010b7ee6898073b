import type { ApprovalCommitment } from '../../application/approvals/decision-digests';
import type { RestoreLock } from '../../application/deployment/restore-lock';
import type { FeedFollowers } from '../../application/feed/followers';
import type { FindOperation } from '../../application/user-actions/audit-logs';
import type { Announced } from '../../application/user-actions/user-actions';
import type { IdentityServices } from '../../application/users/identity-services';
import type { Reader } from '../../entities/database';
import type { IdentityProviders } from '../../platform/identity-providers';
import type { SecretBox } from '../../platform/secret-box';
import type { TokenKeys } from '../../platform/token-keys';
import type { RateLimits } from './rate-limits';

/** Only the API process has these dependencies. */
export type AuthServices = IdentityServices & {
  readonly tokens: TokenKeys;
  readonly rateLimits: RateLimits;
  readonly freeze: RestoreLock;
  readonly feedFollowers: FeedFollowers;
  readonly identityProviders: IdentityProviders;
  /** Encrypts client secrets for identity providers, and the secrets of sign-ins that wait for an identity provider. */
  readonly ssoSecrets: SecretBox;
  readonly findOperation: FindOperation;
  /** The data to which a user action must commit in addition to the announced request (S2); undefined for most requests. */
  readonly commitmentOf: (reader: Reader, announced: Announced) => Promise<ApprovalCommitment | undefined>;
};
