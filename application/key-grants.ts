import { approvalStore } from '../entities/approvals/approval.store';
import type { ChangeRequestEntity } from '../entities/change-requests/change-request.entity';
import { changeRequestStore } from '../entities/change-requests/change-request.store';
import type { Tx } from '../entities/database';
import { policyStore } from '../entities/policies/policy.store';
import { digestOf } from '../platform/canonical';
import { evaluate, isStricter } from '../policy/evaluate';
import { activityOf, type Proposal } from './change-proposals';
import { isWhatWasApproved } from './change-release';
import type { KeyExportWish, KeyImportWish } from './views/key-wishes';

/** How long after its approval an export or import can be carried out. */
const GRANT_LIFE_MS = 24 * 3_600_000;

/** An export or import as policies judge it, before the key of an import has its id. */
export type KeyWish = {
  /** What may have one pending change at a time. */
  readonly subject: string;
  readonly version: number;
  /** Of the whole body and, for an export, of the key: people approve this request and no other. */
  readonly requestDigest: string;
} & (
  | { readonly kind: 'KeyExport'; readonly body: Omit<KeyExportWish, 'keyId'> }
  | { readonly kind: 'KeyImport'; readonly body: Omit<KeyImportWish, 'keyId'> }
);

/** What people decide about; once they have approved, the change request is the requester's grant. */
export function proposalOf({ kind, subject, version, requestDigest, body }: KeyWish, keyId: string): Proposal {
  const shown = { keyId, ...body };
  return {
    kind,
    operationKind: 'Create',
    entityId: keyId,
    subject,
    baseVersion: version,
    before: null,
    change: { ...shown, requestDigest },
    body: shown,
  };
}

export const digestOfRequest = (request: unknown): string => digestOf(JSON.parse(JSON.stringify(request)));

/**
 * Uses the requester's grant for exactly this request up, if there is one: approved, not expired, still what its approvers signed, and
 * under no policy by now that asks for more than they approved. Of two uses at once the second finds none.
 */
export async function useGrant(
  tx: Tx,
  { kind, requestDigest }: KeyWish,
  requesterUserId: string,
  keyRequestId: string,
): Promise<ChangeRequestEntity | undefined> {
  const approvedSince = new Date((await tx.clock()).getTime() - GRANT_LIFE_MS);
  const row = await changeRequestStore.lockGrant(tx, { kind, requesterUserId, requestDigest, approvedSince });
  const approval = row?.approvalId ? await approvalStore.find(tx, row.approvalId) : undefined;
  if (!row || approval?.status !== 'Approved' || !isWhatWasApproved(row, approval)) return undefined;
  const { activity, initiatorId, permissionId, policyId } = activityOf(row);
  const policies = await policyStore.inForce(tx, activity.kind);
  if (isStricter(approval.evaluations, evaluate(policies, { initiatorId, permissionId, policyId }))) return undefined;
  await changeRequestStore.use(tx, row, keyRequestId);
  return row;
}
