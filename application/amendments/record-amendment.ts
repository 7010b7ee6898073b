import type { AmendmentKind } from '../../domain/amendments';
import { amendmentStore, type NewAmendment } from '../../entities/charters/amendment.store';
import { charterStore } from '../../entities/charters/charter.store';
import type { Tx } from '../../entities/database';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import { newId } from '../../platform/ids';
import { AMENDMENT_RECORDED, AMENDMENTS_WORKFLOW, amendmentsOf } from '../../workflows/amendments.messages';

/** The values that the service chose because the signed request leaves them open. */
type Given = {
  createWallet: { readonly walletId: string; readonly keyId: string };
  createPolicy: { readonly policyId: string; readonly version: number; readonly groupIds: readonly string[] };
  updatePolicy: { readonly version: number; readonly groupIds: readonly string[]; readonly changeRequestId?: string };
  archivePolicy: { readonly changeRequestId?: string };
};
type GivenOf<K extends AmendmentKind> = K extends keyof Given ? { readonly given: Given[K] } : { readonly given?: undefined };
export type SignedChange = {
  [K in AmendmentKind]: Pick<NewAmendment, 'userActionId'> & {
    readonly kind: K;
    /** Only for a change that people approved: the approval. */
    readonly approvalId?: string | null;
  } & GivenOf<K>;
}[AmendmentKind];

/**
 * Records a change that this transaction makes and that the signer's charter does not contain yet. Writes nothing for an
 * organisation without a charter. Locks the amendments of the organisation until the transaction ends, so the caller must take no
 * further locks.
 */
export async function recordAmendment(
  tx: Tx,
  { kind, userActionId, approvalId = null, given = {} }: SignedChange,
): Promise<void> {
  if (!(await charterStore.isKnown(tx))) return;
  const id = newId('amendment');
  await amendmentStore.add(tx, { id, kind, userActionId, approvalId, given });
  await outboxStore.add(tx, startOfAmendments(tx.orgId, id));
}

const routing: Dispatch['routing'] = {
  workflow: AMENDMENTS_WORKFLOW,
  signal: AMENDMENT_RECORDED,
  again: 'true',
  summary: 'Apply the signed changes of members to the charter',
};

/** Starts the workflow of the organisation's amendments, or wakes the workflow if it is already running. */
const startOfAmendments = (orgId: string, amendmentId: string): Dispatch => ({
  kind: 'start',
  aggregateId: amendmentsOf(orgId),
  dedupeKey: `start:${amendmentId}`,
  routing,
});

/** Returns the routing that starts the workflow again; undefined if no amendment waits. */
export async function restartAmendments(tx: Tx): Promise<Dispatch['routing'] | undefined> {
  return (await amendmentStore.waiting(tx, 1)).length > 0 ? routing : undefined;
}
