import type { AmendmentKind } from '../../../domain/amendments';
import type { Amendment } from '../../charters/amend-charter-order';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { CharterChange } from '../../record/charter-entries';
import type { KeyLog } from '../../record/key-log';
import type { Envelope } from '../people/approved-groups';
import type { AssertedAction, SignedAction } from '../people/signed-action';

export type KeysKnown = Pick<KeyLog, 'find' | 'originOf' | 'isExported' | 'isOfChartered' | 'kinOf'>;

/** A request for a change of the charter, also before the service has carried it out. `params` are those of its path. */
export type AskedChange = {
  readonly charter: CharterInForce;
  readonly action: Pick<AssertedAction, 'member' | 'body'>;
  readonly params: Readonly<Record<string, string>>;
};

/** A signed request, with what the service gave to it. */
export type AskedAmendment<K extends AmendmentKind = AmendmentKind> = AskedChange & {
  readonly action: SignedAction;
  readonly amendment: Amendment<K>;
  readonly keys: KeysKnown;
};

export type Amender<K extends AmendmentKind> = {
  /**
   * What the signed request changes in the charter; empty if the charter has nothing of it. Throws a `Refusal` if the request does
   * not say what the order says.
   */
  readonly changes: (asked: AskedAmendment<K>) => readonly CharterChange[];
  /** The policies that the request changes. The policies on changes judge each of them. */
  readonly changedPolicies?: (asked: AskedChange) => readonly string[];
  /** Whether approvers saw this change. Absent if the request cannot wait for approval. */
  readonly isApproved?: (asked: AskedChange, envelope: Envelope) => boolean;
};
