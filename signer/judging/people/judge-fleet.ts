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
import { type ActionEvidence, assertCounts, initiatingActionOf, type SignedAction, signedActionOf } from './signed-action';

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

type Reviews = {
  readonly input: FleetInput;
  readonly sealed: SealedFleet;
  readonly manifest: string;
  readonly reviewers: readonly string[];
  readonly submittedBy: string;
  readonly evidence?: readonly Evidence[] | undefined;
};

/** An approval that waits for further reviewers ages like a vote. The group itself ends within the same time. */
const reviewAgeMsMax = (reviewers: number): number =>
  reviewers === 1 ? ACTION_AGE_MS_MAX.unapproved : ACTION_AGE_MS_MAX.approved;

/** Throws a `Refusal` unless the evidence has one action of each reviewer, and no other action. */
function reviewActions(
  charter: CharterInForce,
  { reviewers, evidence = [] }: Reviews,
  judging: Judging,
): readonly SignedAction[] {
  const found = evidence.filter((one): one is ActionEvidence => one.kind === 'Initiator');
  refuseUnless(found.length === reviewers.length, 'InitiatorMissing');
  const actions = found.map((one) => signedActionOf(charter, one, judging));
  const userIds = actions.map(({ member }) => member.userId);
  refuseUnless(
    reviewers.every((userId) => userIds.includes(userId)),
    'RequestMismatch',
  );
  return actions;
}

function assertReviews({ input, manifest, reviewers }: Reviews, action: SignedAction, judging: Judging): void {
  const params = action.method === 'POST' ? paramsOf(FLEET_REVIEW_PATH, action.path) : undefined;
  refuseUnless(params?.['storeId'] === input.storeId && params['groupId'] === input.groupId, 'RequestMismatch');
  refuseUnless(!action.member.isServiceAccount, 'RequestMismatch');
  refuseUnless(readSignedBody(FleetReviewBody, action).manifest === manifest, 'RequestMismatch');
  assertCounts(action, 'createApprovalDecision');
  assertNotOlder(action, reviewAgeMsMax(reviewers.length), judging);
}

/**
 * The digests of the actions by which people approved exactly this manifest. Throws a `Refusal` unless each reviewer signed with
 * a credential that may decide on approvals, and the reviewers are different people, none of whom is the member who asked for
 * the group. The signer has the user who submitted the output only by the word of the service.
 */
export function judgeReviews(charter: CharterInForce, reviews: Reviews, judging: Judging): readonly string[] {
  const { sealed, submittedBy } = reviews;
  const actions = reviewActions(charter, reviews, judging);
  for (const action of actions) assertReviews(reviews, action, judging);
  const handOf = (userId: string) => charter.member(userId)?.hand ?? userId;
  // An input that was sealed before the charter has no member who asked for it.
  refuseUnless(sealed.by !== undefined, 'InitiatorMissing');
  const [others, hands] = [[sealed.by, submittedBy].map(handOf), actions.map(({ member }) => member.hand)];
  const isIndependent = !hands.some((hand) => others.includes(hand)) && new Set(hands).size === hands.length;
  refuseUnless(isIndependent, 'ReviewerNotIndependent');
  return actions.map(({ digest }) => digest);
}
