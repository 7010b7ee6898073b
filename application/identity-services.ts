import type { CodeDigest } from '../platform/codes';
import type { RelyingParty } from '../platform/passkeys';
import type { SecretBox } from '../platform/secret-box';

/** What registration, login and recovery need beyond the rows. */
export type IdentityServices = {
  readonly relyingParty: RelyingParty;
  /** Seals the seeds of one-time passwords. */
  readonly credentialSecrets: SecretBox;
  readonly codeDigest: CodeDigest;
  /** Seals mails until they are sent. */
  readonly mailContents: SecretBox;
};
