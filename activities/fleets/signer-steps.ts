import { archiveOf, fleetInputOf } from '../../application/fleets/archive';
import { moveGroup } from '../../application/fleets/groups';
import { headOf } from '../../application/fleets/manifest-head';
import {
  recordApproved,
  recordArchive,
  recordRefusedApproval,
  recordSealRefusal,
  recordSound,
} from '../../application/fleets/record-outcomes';
import { recordSignatures } from '../../application/fleets/record-signatures';
import { AppError, invariant } from '../../domain/errors';
import type { FleetGroupRef } from '../../domain/fleet-groups';
import { IS_CEREMONY } from '../../domain/fleets';
import type { Reader } from '../../entities/database';
import type { FleetEntity } from '../../entities/fleets/fleet.entity';
import { fleetStore } from '../../entities/fleets/fleet.store';
import type { FleetGroupEntity } from '../../entities/fleets/fleet-group.entity';
import { fleetGroupStore } from '../../entities/fleets/fleet-group.store';
import { fleetKeyStore } from '../../entities/fleets/fleet-key.store';
import type { FleetOutputEntity } from '../../entities/fleets/fleet-output.entity';
import { fleetOutputStore } from '../../entities/fleets/fleet-output.store';
import { canonical } from '../../platform/canonical';
import { sha256Hex } from '../../platform/digests';
import { assertCeremonyOutput, type CeremonyResult } from '../../platform/fleets/assert-output';
import { FleetFault } from '../../platform/fleets/checks';
import { type FleetInput, inputDigest, SignedInput } from '../../platform/fleets/inputs';
import { manifestDigest } from '../../platform/fleets/manifests';
import { signedFileIn } from '../../platform/fleets/received-output';
import { during } from '../../platform/points';
import type { SignerClient } from '../../signer/protocol';
import { evidenceOf } from '../signatures/order-evidence';
import { lifeOfOrder } from '../signatures/order-life';
import { createCollector } from './collect';
import { verifiedSignatures } from './verified-signatures';

type Dependencies = Parameters<typeof createCollector>[0] & {
  readonly signer: Pick<SignerClient, 'health' | 'sealFleetInput' | 'recordFleet' | 'recordProofs'>;
};

type Archive = { readonly text: string; readonly digest: string };
const NOTHING_COLLECTED = 'No request that waits for the device may be signed at present';

type Found = { readonly group: FleetGroupEntity; readonly fleet: FleetEntity };

async function found(reader: Reader, groupId: string): Promise<Found> {
  const group = await fleetGroupStore.find(reader, groupId);
  invariant(group, `the group ${groupId} exists before its workflow starts`);
  const fleet = await fleetStore.find(reader, group.storeId);
  invariant(fleet, 'a group has a fleet');
  return { group, fleet };
}

/** Returns the text of a definitive refusal. Throws every other error again. */
function refusalIn(error: unknown): string {
  if (error instanceof AppError && error.code === 'SignerRefused') return error.message;
  throw error;
}

type Signing = Pick<Dependencies, 'signer' | 'signedBodies'> & { readonly collect: ReturnType<typeof createCollector> };

const actionOf = (reader: Reader, { signedBodies }: Pick<Signing, 'signedBodies'>, userActionId: string) =>
  evidenceOf(reader, signedBodies, { userActionId, approvalId: null });

/** Undefined if the group would sign requests, and none is left to collect. */
async function seal(reader: Reader, signing: Signing, { group, fleet }: Found): Promise<Archive | undefined> {
  const { signer, collect } = signing;
  const { signerId } = await signer.health();
  const { orgId, storeId, id: groupId, kind } = group;
  const carrying = { orgId, storeId, groupId };
  const requests = kind === 'OnchainSign' ? await during('collectRequests', carrying, () => collect(carrying)) : undefined;
  if (requests?.length === 0) return undefined;
  const input = fleetInputOf(fleet, group, signerId, requests && { kind, requests });
  const { signed } = await signer.sealFleetInput({
    ...{ requestId: groupId, orgId, input: canonical(input as never) },
    evidence: await actionOf(reader, signing, group.createdActionId),
    ...lifeOfOrder(),
  });
  return { text: archiveOf(input, signed), digest: inputDigest(input) };
}

async function record(reader: Reader, signing: Signing, group: FleetGroupEntity, output: FleetOutputEntity): Promise<void> {
  const { input, createdBy, submittedBy, reviewedBy, reviewedActionId, earlierReviews } = group;
  const { outputJson, file } = output;
  invariant(input && submittedBy && reviewedBy && reviewedActionId && outputJson && file, 'a reviewed group has an output');
  const earlierReviewers = earlierReviews.map((review) => review.reviewedBy);
  const actionIds = [...earlierReviews.map((review) => review.reviewedActionId), reviewedActionId];
  const evidence = await Promise.all(actionIds.map((id) => actionOf(reader, signing, id)));
  await signing.signer.recordFleet({
    ...{ requestId: group.id, orgId: group.orgId, input, outputJson, file },
    ...{ createdBy, submittedBy, reviewedBy, ...(earlierReviewers.length === 0 ? {} : { earlierReviewers }) },
    evidence: evidence.flat(),
    ...lifeOfOrder(),
  });
}

/** Throws `FleetFault` if the signer refuses the proofs. A repeated run gets the same reply. */
async function recordedProofs(
  signer: Dependencies['signer'],
  { id: requestId, orgId, input }: FleetGroupEntity,
  { outputJson, file }: FleetOutputEntity,
): Promise<void> {
  invariant(input !== null && outputJson !== null && file !== null, 'an output that waits has its texts');
  try {
    await signer.recordProofs({ requestId, orgId, input, outputJson, file, ...lifeOfOrder() });
  } catch (error) {
    throw new FleetFault('SignerRecord', refusalIn(error));
  }
}

export function createFleetActivities(dependencies: Dependencies) {
  const { db, signer, signedBodies } = dependencies;
  const signing: Signing = { signer, signedBodies, collect: createCollector(dependencies) };
  return {
    /** A repeated run gets the same archive, because input and signature have only one form. */
    async sealFleetArchive({ orgId, groupId }: FleetGroupRef): Promise<void> {
      const reader = db.read(orgId);
      const { group, fleet } = await found(reader, groupId);
      if (group.status !== 'Initialized' || group.input !== null) return;
      try {
        const archive = await seal(reader, signing, { group, fleet });
        await db.withOrg(orgId, (tx) =>
          archive ? recordArchive(tx, groupId, archive) : recordSealRefusal(tx, groupId, NOTHING_COLLECTED),
        );
      } catch (error) {
        const why = refusalIn(error);
        await db.withOrg(orgId, (tx) => recordSealRefusal(tx, groupId, why));
      }
    },

    /** Verifies the output that waits, if any. A refused output consumes nothing: the group waits for another output. */
    async checkFleetOutput({ orgId, groupId }: FleetGroupRef): Promise<void> {
      const reader = db.read(orgId);
      const output = await fleetOutputStore.inState(reader, groupId, 'Checking');
      if (!output) return;
      const { group, fleet } = await found(reader, groupId);
      try {
        if (!IS_CEREMONY[group.kind]) {
          const signed = await verifiedSignatures(reader, { group, head: headOf(fleet) }, output);
          if (group.kind === 'ProofOfControl' && signed.result.status !== 'fail') await recordedProofs(signer, group, output);
          return await db.withOrg(orgId, (tx) => recordSignatures(tx, output, signed, moveGroup));
        }
        const { manifest } = await verified(reader, { group, fleet }, output);
        const sound = { outputDigest: sha256Hex(output.file ?? ''), manifest: manifestDigest(manifest.manifest) };
        await db.withOrg(orgId, (tx) => recordSound(tx, output, sound));
      } catch (error) {
        if (!(error instanceof FleetFault)) throw error;
        const refusal = { failedCheck: error.check, reason: error.message, manifestDigest: manifestIn(output) };
        await db.withOrg(orgId, (tx) => fleetOutputStore.refuse(tx, output.userActionId, refusal));
      }
    },

    /** A repeated run has no further effect: the signer returns the same reply, and the rows change once. */
    async recordFleetApproval({ orgId, groupId }: FleetGroupRef): Promise<void> {
      const reader = db.read(orgId);
      const { group, fleet } = await found(reader, groupId);
      const { reviewedActionId } = group;
      if (group.status !== 'InReview' || reviewedActionId === null) return;
      const output = await fleetOutputStore.inState(reader, groupId, 'Accepted');
      invariant(output, 'a group in review has an accepted output');
      const result = await verified(reader, { group, fleet }, output);
      const review = { id: groupId, reviewedActionId };
      try {
        await record(reader, signing, group, output);
        await db.withOrg(orgId, (tx) => recordApproved(tx, review, result));
      } catch (error) {
        const why = refusalIn(error);
        await db.withOrg(orgId, (tx) => recordRefusedApproval(tx, review, why));
      }
    },
  };
}

/** Throws `FleetFault`. */
async function verified(reader: Reader, { group, fleet }: Found, output: FleetOutputEntity): Promise<CeremonyResult> {
  const { outputJson, file } = output;
  invariant(group.input !== null && outputJson !== null && file !== null, 'an output that waits has its texts');
  const { input }: { readonly input: FleetInput } = SignedInput.parse(JSON.parse(group.input));
  const received = { input, outputJson: JSON.parse(outputJson) as unknown, file, head: headOf(fleet) };
  return assertCeremonyOutput({ ...received, knownKeys: await fleetKeyStore.known(reader, keysIn(file)) });
}

const keysIn = (file: string): string[] => signedFileIn(file).output.keys.map(({ publicKey }) => publicKey);

/** Null if the file cannot be read. */
function manifestIn({ file }: FleetOutputEntity): string | null {
  try {
    const { manifest } = signedFileIn(file ?? '').output;
    return manifest === null ? null : manifestDigest(manifest.manifest);
  } catch {
    return null;
  }
}
