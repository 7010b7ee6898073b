import { z } from 'zod';
import { ACTION_AGE_MS_MAX } from '../../../domain/anchors';
import { paramsOf } from '../../../domain/causes';
import type { FleetInput } from '../../../platform/fleets/inputs';
import { FLEET_INPUT_PATHS, FLEET_REVIEW_PATH, FleetReviewBody } from '../../../platform/fleets/reviews';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { Evidence } from '../../record/evidence';
import type { SealedFleet } from '../../record/fleets/fleet-entries';
import { refuseUnless } from '../../wire/refusal';
import { readSignedBody } from '../requests/signed-body';
import { assertNotOlder, type Judging } from './action-age';
import { assertCounts, initiatingActionOf, type SignedAction } from './signed-action';

const ProofBody = z.looseObject({ walletIds: z.array(z.string()) });

/** Each wallet must be in the charter and in the signed body, so that no proof is made for another wallet. */
function assertProofs(charter: CharterInForce, { task }: FleetInput, action: SignedAction): void {
  if (task.kind !== 'ProofOfControl') return;
  assertCounts(action, 'walletsGenerateSignature');
  const { walletIds } = readSignedBody(ProofBody, action);
  for (const { walletId, network, address } of task.requests) {
    const wallet = charter.wallet(walletId);
    const isWallet = wallet?.network === network && wallet.address === address;
    refuseUnless(isWallet && walletIds.includes(walletId), 'RequestMismatch');
  }
}

/**
 * The member who asked for the group, with the signed action. Undefined for a group that signs, because people asked for each of
 * its requests, and the signer has vouched for each. The body of a ceremony is not compared with the input: nothing comes of an
 * input until a reviewer has signed the manifest that resulted. Throws a `Refusal`.
 */
export function judgeInput(
  charter: CharterInForce,
  { input, evidence = [] }: { readonly input: FleetInput; readonly evidence?: readonly Evidence[] | undefined },
  judging: Judging,
): { readonly by: string; readonly action: string } | undefined {
  const { task, storeId } = input;
  if (task.kind === 'OnchainSign') return undefined;
  const action = initiatingActionOf(charter, evidence, judging);
  const params = action.method === 'POST' ? paramsOf(FLEET_INPUT_PATHS[task.kind], action.path) : undefined;
  refuseUnless(params?.['storeId'] === storeId, 'RequestMismatch');
  assertNotOlder(action, ACTION_AGE_MS_MAX.unapproved, judging);
  assertProofs(charter, input, action);
  return { by: action.member.userId, action: action.digest };
}

type Review = {
  readonly input: FleetInput;
  readonly sealed: SealedFleet;
  readonly manifest: string;
  readonly reviewedBy: string;
  readonly submittedBy: string;
  readonly evidence?: readonly Evidence[] | undefined;
};

/**
 * The digest of the action by which a person approved exactly this manifest. Throws a `Refusal` unless a credential that may
 * decide on approvals signed the action, and the reviewer is another person than the member who asked for the group. The signer
 * has the user who submitted the output only by the word of the service.
 */
export function judgeReview(charter: CharterInForce, review: Review, judging: Judging): string {
  const { input, sealed, manifest, reviewedBy, submittedBy, evidence = [] } = review;
  const action = initiatingActionOf(charter, evidence, judging);
  const params = action.method === 'POST' ? paramsOf(FLEET_REVIEW_PATH, action.path) : undefined;
  refuseUnless(params?.['storeId'] === input.storeId && params['groupId'] === input.groupId, 'RequestMismatch');
  refuseUnless(action.member.userId === reviewedBy && !action.member.isServiceAccount, 'RequestMismatch');
  refuseUnless(readSignedBody(FleetReviewBody, action).manifest === manifest, 'RequestMismatch');
  assertCounts(action, 'createApprovalDecision');
  assertNotOlder(action, ACTION_AGE_MS_MAX.unapproved, judging);
  const handOf = (userId: string) => charter.member(userId)?.hand ?? userId;
  // An input that was sealed before the charter has no member who asked for it.
  refuseUnless(sealed.by !== undefined, 'InitiatorMissing');
  const others = [sealed.by, submittedBy].map(handOf);
  refuseUnless(!others.includes(action.member.hand), 'ReviewerNotIndependent');
  return action.digest;
}
