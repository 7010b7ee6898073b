import type { AmendmentKind } from '../../../domain/amendments';
import type { Amendment } from '../../charters/amend-charter-order';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { CharterChange } from '../../record/charter-entries';
import type { OfflineKey } from '../../record/fleets/fleet-entries';
import type { KeyLog } from '../../record/key-log';
import type { Envelope } from '../people/approved-groups';
import type { AssertedAction, SignedAction } from '../people/signed-action';

export type KeysKnown = Pick<KeyLog, 'find' | 'originOf' | 'isExported' | 'isOfChartered' | 'kinOf'> & {
  offlineKey(keyId: string): OfflineKey | undefined;
  /** The store of a new key for which the request names no store. */
  primaryStoreId(orgId: string): string;
};

/** A request to change the charter. The service may still have to carry out the request. `params` are the path parameters. */
export type AskedChange = {
  readonly charter: CharterInForce;
  readonly action: Pick<AssertedAction, 'member' | 'body'>;
  readonly params: Readonly<Record<string, string>>;
};

/** A signed request, with the values that the service chose. */
export type AskedAmendment<K extends AmendmentKind = AmendmentKind> = AskedChange & {
  readonly action: SignedAction;
  readonly amendment: Amendment<K>;
  readonly keys: KeysKnown;
};

export type Amender<K extends AmendmentKind> = {
  /**
   * The changes that the signed request makes to the charter; empty if the charter does not contain the affected item. Throws a
   * `Refusal` if the request differs from the order.
   */
  readonly changes: (asked: AskedAmendment<K>) => readonly CharterChange[];
  /** The ids of the policies that the request changes. The charter's policies on changes judge each of these changes. */
  readonly changedPolicies?: (asked: AskedChange) => readonly string[];
  /** Whether approvers saw this change. Absent if the request cannot wait for approval. */
  readonly isApproved?: (asked: AskedChange, envelope: Envelope) => boolean;
};
