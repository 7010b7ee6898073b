import { invariant } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { fleetStore } from '../../entities/fleets/fleet.store';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { fleetGroupStore } from '../../entities/fleets/fleet-group.store';
import { fleetKeyStore } from '../../entities/fleets/fleet-key.store';
import type { FleetOutputEntity } from '../../entities/fleets/fleet-output.entity';
import { fleetOutputStore } from '../../entities/fleets/fleet-output.store';
import { canonical } from '../../platform/canonical';
import type { CeremonyResult } from '../../platform/fleets/assert-output';
import { manifestDigest } from '../../platform/fleets/manifests';
import { moveGroup } from './groups';

/** Stores the archive. Has no effect on a group that has an archive or has ended. */
export async function recordArchive(
  tx: Tx,
  groupId: string,
  archive: { readonly text: string; readonly digest: string },
): Promise<void> {
  const row = await fleetGroupStore.lock(tx, groupId);
  if (row?.status === 'Initialized') await fleetGroupStore.seal(tx, groupId, archive);
}

/** Ends a group for which the signer will never sign an archive. */
export async function recordSealRefusal(tx: Tx, groupId: string, why: string): Promise<void> {
  const row = await fleetGroupStore.lock(tx, groupId);
  if (row?.status !== 'Initialized' || row.input !== null) return;
  await moveGroup(tx, row, 'Canceled', { reason: why, dateCanceled: await tx.clock() });
}

type Checked = Pick<FleetOutputEntity, 'userActionId' | 'submittedBy' | 'groupId'>;

/**
 * Brings the group into review. If the group was canceled meanwhile, the output is refused. Has no effect on an output that has
 * been checked already.
 */
export async function recordSound(
  tx: Tx,
  { userActionId, submittedBy, groupId }: Checked,
  { outputDigest, manifest }: { readonly outputDigest: string; readonly manifest: string | null },
): Promise<void> {
  const row = await fleetGroupStore.lock(tx, groupId);
  invariant(row, 'a group is never deleted');
  const output = await fleetOutputStore.find(tx, userActionId);
  if (output?.status !== 'Checking') return;
  if (row.status !== 'Initialized') {
    const refusal = { manifestDigest: manifest, failedCheck: 'Group', reason: `The group is ${row.status}.` };
    return fleetOutputStore.refuse(tx, userActionId, refusal);
  }
  await fleetOutputStore.accept(tx, userActionId, manifest);
  await moveGroup(tx, row, 'InReview', {
    ...{ outputDigest, submittedBy, submittedActionId: userActionId },
    dateSubmitted: await tx.clock(),
  });
}

/** True while the approval of this reviewer waits for the signer. */
const isBeingApproved = (row: FleetGroupEntity | undefined, reviewedActionId: string): row is FleetGroupEntity =>
  row?.status === 'InReview' && row.reviewedActionId === reviewedActionId;

/**
 * Commits the manifest and the keys that the signer has recorded. Has no effect if the approval was recorded already. Fails if
 * the store has committed another manifest meanwhile.
 */
export async function recordApproved(
  tx: Tx,
  { id, reviewedActionId }: { readonly id: string; readonly reviewedActionId: string },
  { manifest, keys }: Pick<CeremonyResult, 'manifest' | 'keys'>,
): Promise<void> {
  const row = await fleetGroupStore.lock(tx, id);
  if (!isBeingApproved(row, reviewedActionId)) return;
  const { storeId, manifestBefore } = row;
  const head = { digest: manifestDigest(manifest.manifest), text: canonical(manifest as never), n: manifest.manifest.n };
  invariant(await fleetStore.commit(tx, storeId, manifestBefore, head), `the group ${id} continues the manifest of its store`);
  await fleetKeyStore.add(tx, storeId, id, keys);
  await moveGroup(tx, row, 'Approved', { dateRecorded: await tx.clock(), hindrance: null });
}

/** Takes all reviews back, because the refusal may concern any of them, so that people can review the group again, or cancel it. */
export async function recordRefusedApproval(
  tx: Tx,
  { id, reviewedActionId }: { readonly id: string; readonly reviewedActionId: string },
  why: string,
): Promise<void> {
  const row = await fleetGroupStore.lock(tx, id);
  if (!isBeingApproved(row, reviewedActionId)) return;
  const review = { reviewedBy: null, reviewedActionId: null, dateReviewed: null, earlierReviews: [] };
  await fleetGroupStore.change(tx, row, { ...review, hindrance: why });
}
