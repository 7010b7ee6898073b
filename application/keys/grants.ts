import { CHANGES, type ChangeKind } from '../../domain/change-requests';
import { HOUR_MS } from '../../domain/durations';
import { AppError } from '../../domain/errors';
import { GRANT_LIFE_MS, type ImportQuestion, type KeyRequestQuestion } from '../../domain/key-requests';
import { approvalStore } from '../../entities/approvals/approval.store';
import type { ChangeRequestEntity } from '../../entities/change-requests/change-request.entity';
import { changeRequestStore } from '../../entities/change-requests/change-request.store';
import { charterStore } from '../../entities/charters/charter.store';
import type { Tx } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import type { KeyRequestEntity } from '../../entities/keys/key-request.entity';
import { policyStore } from '../../entities/policies/policy.store';
import { digestOf } from '../../platform/canonical';
import { evaluate, isStricter } from '../../policy/evaluate';
import type { Proofs } from '../approvals/countable-votes';
import { ImportKeyBody, ImportWalletBody } from '../bodies/keys';
import { readText } from '../causes/signed-text';
import type { Proposal } from '../change-requests/proposals';
import { whyChangeNotApproved } from '../change-requests/release';
import type { KeyExportWish, KeyImportWish } from './wish-view';

/**
 * A requested export or import that policies judge. The body leaves out the id of the key, because each attempt at an import
 * generates a new id.
 */
export type KeyWish = {
  /** Each subject may have one pending change at a time. */
  readonly subject: string;
  readonly version: number;
  /** The digest of the whole body and, for an export, of the id of the key, so that people approve exactly this request. */
  readonly requestDigest: string;
} & (
  | { readonly kind: 'KeyExport'; readonly body: Omit<KeyExportWish, 'keyId'> }
  | { readonly kind: 'KeyImport'; readonly body: Omit<KeyImportWish, 'keyId'> }
);

/** An approved change request is a grant, which only its requester can use. */
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

/** A grant covers a later request only if that request has the same digest. */
export const digestOfRequest = (request: unknown): string => digestOf(JSON.parse(JSON.stringify(request)));

/**
 * Returns the grant for exactly this request, and marks the grant as used. Returns undefined unless the grant is approved,
 * unexpired, unused and unchanged since its approvers signed. Returns undefined also if the policies now in force require more
 * than people approved. The second of two concurrent uses finds no grant. Throws `WrongState` for an approved export until the
 * charter's waiting time has passed.
 */
export async function useGrant(
  tx: Tx,
  { kind, requestDigest }: KeyWish,
  requesterUserId: string,
  keyRequestId: string,
  proofs: Proofs,
): Promise<ChangeRequestEntity | undefined> {
  const nowMs = (await tx.clock()).getTime();
  const waitMs = kind === 'KeyExport' ? HOUR_MS * ((await charterStore.exportWaitHours(tx)) ?? 0) : 0;
  const approvedSince = new Date(nowMs - waitMs - GRANT_LIFE_MS);
  const row = await changeRequestStore.lockGrant(tx, { kind, requesterUserId, requestDigest, approvedSince });
  if (!row || !(await covers(tx, row, proofs))) return undefined;
  assertWaited(row, waitMs, nowMs);
  await changeRequestStore.use(tx, row, keyRequestId);
  return row;
}

/**
 * The service counts the waiting time from the decision, and the signer counts from the votes, which are older. The signer's wait
 * therefore ends no later.
 */
function assertWaited({ id: changeRequestId, dateResolved }: ChangeRequestEntity, waitMs: number, nowMs: number): void {
  const fromMs = (dateResolved?.getTime() ?? nowMs) + waitMs;
  if (nowMs >= fromMs) return;
  throw new AppError('WrongState', 'The charter of the organisation delays the approved export', {
    ...{ changeRequestId, exportFrom: new Date(fromMs).toISOString() },
  });
}

/**
 * A derivation needs no grant. A request about a key of an end user needs no grant either, and neither does a request that no
 * policy now holds or blocks. Every other request must have used up a grant for the same kind, key and requester. A grant for an
 * export must specify the same recipient, and a grant for an import must have the same content. A key request that was forged in
 * the database has not used up a grant.
 */
export async function isPermitted(tx: Tx, row: KeyRequestEntity, question: KeyRequestQuestion, proofs: Proofs): Promise<boolean> {
  if (question.kind === 'Derive') return true;
  const owner = question.kind === 'Import' ? question.delegatedTo : (await keyStore.find(tx, row.keyId))?.delegatedTo;
  const kind = question.kind === 'Import' ? 'KeyImport' : 'KeyExport';
  if (typeof owner === 'string' || (await verdictNow(tx, kind, row.userId)).outcome === 'Cleared') return true;
  const grant = await changeRequestStore.grantUsedBy(tx, row.id);
  if (grant?.kind !== kind || grant.entityId !== row.keyId || grant.requesterUserId !== row.userId) return false;
  if (question.kind === 'Export' && grant.change['encryptionKey'] !== question.recipientKey) return false;
  if (question.kind === 'Import' && grant.change['requestDigest'] !== digestOfImport(question)) return false;
  return covers(tx, grant, proofs);
}

/** `assertSaysImport` has already compared `signedText` with the signed action. */
const digestOfImport = ({ wallet, signedText }: ImportQuestion): string =>
  digestOfRequest(readText<object>(wallet === null ? ImportKeyBody : ImportWalletBody, signedText));

/**
 * Whether people approved exactly this change request, and whether the policies now in force require no more than people
 * approved.
 */
async function covers(tx: Tx, row: ChangeRequestEntity, proofs: Proofs): Promise<boolean> {
  const approval = row.approvalId === null ? undefined : await approvalStore.find(tx, row.approvalId);
  if (!approval || (await whyChangeNotApproved(tx, row, proofs)) !== undefined) return false;
  return !isStricter(approval.evaluations, await verdictNow(tx, row.kind, row.requesterUserId));
}

const verdictNow = async (tx: Tx, kind: ChangeKind, initiatorId: string) =>
  evaluate(await policyStore.inForce(tx, CHANGES[kind].activity), { initiatorId, permissionId: null, policyId: null });
