import type { ApprovalCommitment } from '../../application/approvals/decision-digests';
import type { RestoreLock } from '../../application/deployment/restore-lock';
import type { FindOperation } from '../../application/user-actions/audit-logs';
import type { Announced } from '../../application/user-actions/user-actions';
import type { IdentityServices } from '../../application/users/identity-services';
import type { Reader } from '../../entities/database';
import type { IdentityProviders } from '../../platform/identity-providers';
import type { SecretBox } from '../../platform/secret-box';
import type { TokenKeys } from '../../platform/token-keys';
import type { RateLimits } from './rate-limits';

/** What operations may use beyond `Services`: things that only the API process has. */
export type AuthServices = IdentityServices & {
  readonly tokens: TokenKeys;
  readonly rateLimits: RateLimits;
  readonly freeze: RestoreLock;
  readonly identityProviders: IdentityProviders;
  /** Seals secrets of clients at identity providers, and of sign-ins under way there. */
  readonly ssoSecrets: SecretBox;
  /** The operation that a method and a path lead to. */
  readonly findOperation: FindOperation;
  /** What a user action for this request must commit to beyond the request itself (S2); undefined for most requests. */
  readonly commitmentOf: (reader: Reader, announced: Announced) => Promise<ApprovalCommitment | undefined>;
};
