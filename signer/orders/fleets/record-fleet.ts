import { reviewersOf } from '../../../domain/key-stores';
import { sha256Hex } from '../../../platform/digests';
import { assertCeremonyOutput, type CeremonyResult } from '../../../platform/fleets/assert-output';
import { FleetFault } from '../../../platform/fleets/checks';
import type { FleetInput } from '../../../platform/fleets/inputs';
import { manifestDigest } from '../../../platform/fleets/manifests';
import { signedFileIn } from '../../../platform/fleets/received-output';
import { assertContinues } from '../../judging/fleets/judge-input';
import { assertTimely } from '../../judging/order-checks';
import type { CharterPeople } from '../../judging/people/people';
import type { Attestor } from '../../record/attestor';
import type { ApprovedFleet } from '../../record/fleets/fleet-entries';
import type { Fleets } from '../../record/fleets/fleets';
import type { KeyLog } from '../../record/key-log';
import type { KeyStores } from '../../record/key-stores';
import { Refusal, refuseUnless } from '../../wire/refusal';
import type { RecordedFleet, RecordFleetOrder } from './fleet-orders';
import { offlineStore } from './offline-store';
import { outputJsonOf, sealedInputOf } from './received-texts';

type Parts = {
  readonly signerId: string;
  readonly attestor: Attestor;
  readonly stores: Pick<KeyStores, 'find'>;
  readonly fleets: Fleets;
  readonly keyLog: Pick<KeyLog, 'hasSecret'>;
  readonly people: Pick<CharterPeople, 'judgeReviews'>;
  readonly nowMs: () => number;
};

const recorded = ({ digest, n, keys }: ApprovedFleet): RecordedFleet => ({ manifest: digest, n, keys });

/** Throws a `Refusal` unless all reviewers are different people, and none of them made or submitted the group. */
function reviewersIn({ createdBy, submittedBy, reviewedBy, earlierReviewers = [] }: RecordFleetOrder): readonly string[] {
  const reviewers = [...earlierReviewers, reviewedBy];
  const isIndependent = !reviewers.includes(createdBy) && !reviewers.includes(submittedBy);
  refuseUnless(isIndependent && new Set(reviewers).size === reviewers.length, 'ReviewerNotIndependent');
  return reviewers;
}

/**
 * Records an approved ceremony: its manifest and its keys. The signer verifies the whole output itself, because the rows of the
 * service must not plant a key. The journal has the record before the reply leaves, and the same order gets the same reply.
 */
export function createFleetRecorder({ signerId, attestor, stores, fleets, keyLog, people, nowMs }: Parts) {
  const verified = async (input: FleetInput, { outputJson, file }: RecordFleetOrder): Promise<CeremonyResult> => {
    const head = fleets.head(input.orgId, input.storeId)?.manifest ?? null;
    try {
      const { keys } = signedFileIn(file).output;
      // The challenge of a clone asks for keys that are known already.
      const isKnown = (key: (typeof keys)[number]) =>
        fleets.pooled(key) !== undefined || keyLog.hasSecret({ ...key, orgId: input.orgId, publicKeyHex: key.publicKey });
      const knownKeys = new Set(keys.filter(isKnown).map(({ publicKey }) => publicKey));
      return await assertCeremonyOutput({ input, outputJson: outputJsonOf(outputJson), file, head, knownKeys });
    } catch (error) {
      throw error instanceof FleetFault ? new Refusal('FleetOutputInvalid') : error;
    }
  };

  return async (order: RecordFleetOrder): Promise<RecordedFleet> => {
    assertTimely(order, nowMs());
    const { input, sealed } = sealedInputOf(order, { signerId, attestor, fleets });
    const { orgId, storeId, groupId } = input;
    const store = () => offlineStore(stores, orgId, storeId);
    store();
    const outputDigest = sha256Hex(order.file);
    const earlier = () => {
      const known = fleets.approved(input);
      refuseUnless(known === undefined || known.outputDigest === outputDigest, 'RequestIdReused');
      return known && recorded(known);
    };
    const known = earlier();
    if (known) return known;
    const { createdBy, submittedBy, evidence = [] } = order;
    const reviewers = reviewersIn(order);
    refuseUnless(nowMs() <= Date.parse(input.notAfter), 'FleetInputMismatch');
    assertContinues(input, fleets.head(orgId, storeId));
    const { manifest: signedManifest, keys } = await verified(input, order);
    const { manifest } = signedManifest;
    // Another order may have recorded a ceremony during the verification.
    const meanwhile = earlier();
    if (meanwhile) return meanwhile;
    assertContinues(input, fleets.head(orgId, storeId));
    refuseUnless(reviewers.length >= reviewersOf(store()), 'ReviewersMissing');
    const digest = manifestDigest(manifest);
    const actions = people.judgeReviews({ input, sealed, manifest: digest, reviewers, submittedBy, evidence });
    const grounds = { createdBy, submittedBy, reviewers, ...(actions === undefined ? {} : { actions }) };
    const pool = keys.map(({ curve, index, publicKey }) => ({ curve, index, publicKey }));
    const entry = { orgId, storeId, groupId, previous: input.manifest, digest, manifest, outputDigest, ...grounds, keys: pool };
    await fleets.recordApproved({ ...entry, inputDigest: sealed.inputDigest }, evidence);
    return { manifest: digest, n: manifest.n, keys: pool.length };
  };
}
