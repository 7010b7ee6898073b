import type { Commitment } from '../../application/approval-commitments';
import type { FindOperation } from '../../application/audit-logs';
import type { Freeze } from '../../application/freeze';
import type { IdentityServices } from '../../application/identity-services';
import type { Announced } from '../../application/user-actions';
import type { Reader } from '../../entities/database';
import type { IdentityProviders } from '../../platform/identity-providers';
import type { SecretBox } from '../../platform/secret-box';
import type { TokenKeys } from '../../platform/token-keys';
import type { RateLimits } from './rate-limits';

/** What operations may use beyond `Services`: things that only the API process has. */
export type AuthServices = IdentityServices & {
  readonly tokens: TokenKeys;
  readonly rateLimits: RateLimits;
  readonly freeze: Freeze;
  readonly identityProviders: IdentityProviders;
  /** Seals secrets of clients at identity providers, and of sign-ins under way there. */
  readonly ssoSecrets: SecretBox;
  /** The operation that a method and a path lead to. */
  readonly findOperation: FindOperation;
  /** What a user action for this request must commit to beyond the request itself (S2); undefined for most requests. */
  readonly commitmentOf: (reader: Reader, announced: Announced) => Promise<Commitment | undefined>;
};
