import type { Decoys } from '../../platform/decoy-credentials';
import type { CodeDigest } from '../../platform/one-time-codes';
import type { RelyingParty } from '../../platform/passkeys';
import type { SecretBox } from '../../platform/secret-box';
import type { Lockout } from '../login/lockout';

export type IdentityServices = {
  readonly relyingParty: RelyingParty;
  /** Seals the seeds of one-time passwords. */
  readonly credentialSecrets: SecretBox;
  readonly codeDigest: CodeDigest;
  /** Credentials to show for a user who does not exist. */
  readonly decoys: Decoys;
  /** Delays further guesses after wrong guesses. */
  readonly lockout: Lockout;
  /** Seals the bodies that people sign, and the proofs of actions whose factors do not sign (`witnessOf`). */
  readonly signedBodies: SecretBox;
  /** Seals mails that are not sent yet. */
  readonly mailContents: SecretBox;
};
