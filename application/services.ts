import type { createReaders } from '../chains/readers';
import type { NetworkName } from '../domain/networks';
import type { Database } from '../entities/database';
import type { SecretBox } from '../platform/secret-box';
import type { Changes } from '../platform/wait-for-change';
import type { Dispatcher } from './dispatch/dispatcher';

/** Everything an operation may use: rows, chain reads, workflows through the outbox, and the wake-up for a waiting POST. */
export type Services = {
  readonly db: Database;
  /** The reader of an enabled network; throws `NetworkNotEnabled` for another one. */
  readonly readers: ReturnType<typeof createReaders>;
  /** Networks whose transactions are signed although no node is configured for them. */
  readonly signingOnly?: ReadonlySet<NetworkName>;
  readonly dispatcher: Dispatcher;
  readonly changes: Changes;
  /** Seals webhook secrets. */
  readonly webhookSecrets: SecretBox;
  /** Seals key requests to the signer and their results while a row holds them. */
  readonly keyRequestSecrets: SecretBox;
  /** Seals the exact texts of signed bodies. */
  readonly signedBodies: SecretBox;
  /** Seals the travel rule data about people. */
  readonly travelRuleSecrets: SecretBox;
  /** Seals the credentials of vendors. */
  readonly integrationSecrets: SecretBox;
};
