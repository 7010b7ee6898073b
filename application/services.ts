import type { Readers } from '../chains/readers';
import type { Database } from '../entities/database';
import type { Changes } from '../platform/changes';
import type { SecretBox } from '../platform/secret-box';
import type { Dispatcher } from './dispatch';

/** Everything an operation may use: rows, chain reads, workflows by the outbox, and the wake-up for a waiting POST. */
export type Services = {
  readonly db: Database;
  readonly readers: Readers;
  readonly dispatcher: Dispatcher;
  readonly changes: Changes;
  /** Seals webhook secrets. */
  readonly webhookSecrets: SecretBox;
};
