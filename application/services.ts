import type { createReaders } from '../chains/readers';
import type { NetworkName } from '../domain/networks';
import type { Database } from '../entities/database';
import type { TargetRules } from '../platform/guarded-fetch';
import type { SecretBox } from '../platform/secret-box';
import type { Changes } from '../platform/wait-for-change';
import type { Dispatcher } from './dispatch/dispatcher';

/** `changes` lets a POST wait for a change of its record. */
export type Services = {
  readonly db: Database;
  /** Throws `NetworkNotEnabled` for a network that is not enabled. */
  readonly readers: ReturnType<typeof createReaders>;
  /** Networks for which keys may sign even though this deployment has no node for the network. */
  readonly signingOnly?: ReadonlySet<NetworkName>;
  readonly dispatcher: Dispatcher;
  readonly changes: Changes;
  readonly webhookSecrets: SecretBox;
  /** Every delivery from this deployment refuses addresses that these rules do not allow. */
  readonly webhookTargets: TargetRules;
  /** Seals the question and the answer of a key request in a row. */
  readonly keyRequestSecrets: SecretBox;
  /** Seals the exact texts of signed bodies. */
  readonly signedBodies: SecretBox;
  readonly travelRuleSecrets: SecretBox;
  /** Seals the credentials of vendors. */
  readonly integrationSecrets: SecretBox;
};
