import { type CauseId, paramsIn } from '../../../domain/causes';
import { sponsorRequestId } from '../../../domain/fee-sponsors';
import { evaluate } from '../../../policy/evaluate';
import type { Facts, Verdict } from '../../../policy/types';
import type { CharterWallet } from '../../charters/charter';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { Signed } from '../../record/signing-entries';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { assertRequested } from '../requests/assert-requested';
import { approvedEnvelope } from './approved-groups';
import { type AskedOrder, isConfidential, isOfSponsor, isPayload, movesNothing, sponsorOf } from './asked-order';
import { assertApprovedContent } from './same-envelope';
import { type ActionEvidence, type SignedAction, signedActionOf } from './signed-action';

/** The requests by which a person asks for a signature. The other causes ask for what `judgePeople` lets pass without a person. */
const PERSON_CAUSES = ['transferAsset', 'broadcastTransaction', 'walletsGenerateSignature', 'keysGenerateSignature'] as const;
type PersonCause = (typeof PERSON_CAUSES)[number] & CauseId;

type Known = {
  /** The payment of an earlier request that has a signature. */
  readonly intentDigestOf: (request: { readonly orgId: string; readonly requestId: string }) => string | undefined;
  readonly nowMs: number;
  /** The network whose transaction is signed. */
  readonly network: string | undefined;
};

/** The use of a signed action, which serves only one request. */
export type UsedAction = NonNullable<Signed['action']>;

/**
 * Throws a `Refusal` unless people with the right to do so asked for exactly this order and, where the policies of the charter
 * demand it, approved it. Returns the signed action that asks for the order. Two kinds of orders need no person: an order that
 * repeats a signed payment over the same claims, and an order that only uses up the sender's own nonce or coins.
 */
export function judgePeople(charter: CharterInForce, asked: AskedOrder, signed: Signed, known: Known): UsedAction | undefined {
  if (isService(asked, signed, known)) return undefined;
  const { order } = asked;
  // Nothing shows the amount in a ciphertext, so the worker could encrypt another amount than people asked for.
  refuseUnless(!isConfidential(asked), 'NotWithCharter');
  const action = initiatingAction(charter, asked, known.nowMs);
  const { cause, params } = causeOf(action);
  refuseUnless(action.mayCall(cause), 'NotPermitted');
  const wallet = walletOf(charter, asked, params);
  const { feeSponsorId } = assertRequested(asked.op, order as never, { cause, body: action.body });
  const sponsor = feeSponsorId === null ? undefined : charter.sponsorWallet(feeSponsorId);
  refuseUnless(feeSponsorId === null || sponsor !== undefined, 'NotInCharter');
  assertKeys(asked, known.network, { wallet, sponsor });
  const { userId } = action.member;
  const verdict = judgeByPolicies(charter, asked, { initiatorId: userId, wallet, sponsor });
  refuseUnless(verdict.outcome !== 'Blocked', 'PolicyBlocked');
  if (verdict.outcome === 'Held') {
    const { requestId, evidence = [] } = order;
    const grounds = { requestId, initiatorId: userId, demands: verdict.groups, evidence };
    assertApprovedContent(asked, approvedEnvelope(charter, grounds, known.nowMs));
  }
  return { digest: action.digest, requestId: order.requestId };
}

function isService(asked: AskedOrder, signed: Signed, { intentDigestOf }: Known): boolean {
  if (isPayload(asked)) return false;
  const { orgId, replaces } = asked.order;
  const replaced = replaces === undefined ? undefined : intentDigestOf({ orgId, requestId: loggedId(asked, replaces) });
  if (replaced === signed.intentDigest) return true;
  // A sponsor pays for an order that moves nothing only in place of an order that it has paid for.
  return movesNothing(asked) && (sponsorOf(asked) === undefined || replaced !== undefined);
}

/** The sponsor's signature has an id of its own in the log. */
const loggedId = (asked: AskedOrder, requestId: string): string => (isOfSponsor(asked) ? sponsorRequestId(requestId) : requestId);

function initiatingAction(charter: CharterInForce, { order }: AskedOrder, nowMs: number): SignedAction {
  const found = (order.evidence ?? []).filter((one): one is ActionEvidence => one.kind === 'Initiator');
  const [initiator] = found;
  if (!initiator || found.length > 1) throw new Refusal('InitiatorMissing');
  return signedActionOf(charter, initiator, nowMs);
}

function causeOf({ method, path }: SignedAction): {
  readonly cause: PersonCause;
  readonly params: Readonly<Record<string, string>>;
} {
  for (const cause of PERSON_CAUSES) {
    const params = method === 'POST' ? paramsIn(cause, path) : undefined;
    if (params) return { cause, params };
  }
  throw new Refusal('RequestMismatch');
}

/** The wallet that the signed path names; null if the path names a key. */
function walletOf(
  charter: CharterInForce,
  asked: AskedOrder,
  { walletId, keyId }: Readonly<Record<string, string>>,
): CharterWallet | null {
  if (walletId === undefined) {
    refuseUnless(isPayload(asked) && keyId === asked.order.keyId, 'RequestMismatch');
    refuseUnless(charter.walletsOfKey(keyId).length > 0, 'NotInCharter');
    return null;
  }
  const wallet = charter.wallet(walletId);
  refuseUnless(wallet !== undefined, 'NotInCharter');
  return wallet;
}

/** The order must sign with the key of the wallet that the person named, or of the sponsor that the person named. */
function assertKeys(
  asked: AskedOrder,
  signedNetwork: string | undefined,
  { wallet, sponsor }: Pick<Subject, 'wallet' | 'sponsor'>,
): void {
  if (wallet === null) return;
  const { keyId } = asked.order;
  if (isPayload(asked)) {
    const isThere = signedNetwork === undefined || signedNetwork === wallet.network;
    refuseUnless(keyId === wallet.keyId && isThere, 'RequestMismatch');
    return;
  }
  const { network, intent } = asked.order;
  const isFrom = network === wallet.network && intent.from === wallet.address;
  refuseUnless(isFrom && sponsorOf(asked) === sponsor?.address, 'RequestMismatch');
  refuseUnless(sponsor === undefined || sponsor.network === network, 'RequestMismatch');
  refuseUnless(keyId === (isOfSponsor(asked) ? sponsor?.keyId : wallet.keyId), 'RequestMismatch');
}

type Subject = {
  readonly initiatorId: string;
  readonly wallet: CharterWallet | null;
  readonly sponsor: CharterWallet | undefined;
};

const factsOf = ({ id, tags }: CharterWallet) => ({ walletId: id, walletTags: tags });

/** The same policies and code as in the worker. Facts that the signer proves itself replace those of the worker. */
function judgeByPolicies({ content, walletsOfKey }: CharterInForce, asked: AskedOrder, subject: Subject): Verdict {
  const { initiatorId, wallet, sponsor } = subject;
  const { attested: { amountUsdMicro = null, sponsorAmountUsdMicro = null, ...attested } = {} } = asked.order;
  // Only a signature may be valid for the other wallets of the key. A payment is judged for the wallet that pays.
  const ofKey = isPayload(asked) ? walletsOfKey(asked.order.keyId).filter(({ id }) => id !== wallet?.id) : [];
  const [first, ...others] = [...(wallet ? [wallet] : []), ...ofKey];
  const network = isPayload(asked) ? (wallet?.network ?? first?.network ?? '') : asked.order.network;
  const registered = content.registryAddresses.filter((one) => one.network === network).map(({ id, address }) => [id, address]);
  const facts: Facts = {
    ...(first ? factsOf(first) : { walletId: null, walletTags: [] }),
    otherWallets: others.map(factsOf),
    initiatorId,
    recipients: recipientsOf(asked),
    ...(comesBackWhole(asked) ? { paysNobody: true } : {}),
    amountUsdMicro,
    network,
    ...attested,
    registryAddresses: Object.fromEntries(registered),
    ...(sponsor ? { sponsor: { ...factsOf(sponsor), amountUsdMicro: sponsorAmountUsdMicro } } : {}),
  };
  return evaluate(content.policies, facts);
}

/** Empty, and so unknown to the rules, unless the signer's decoder has found that the order pays only this recipient. */
function recipientsOf(asked: AskedOrder): readonly string[] {
  if (isPayload(asked)) return [];
  const { intent } = asked.order;
  return intent.callDigest === undefined ? [intent.to] : [];
}

/** In the Bitcoin family, where the signer's decoder has found that every output pays the sender. */
function comesBackWhole({ op, order }: AskedOrder): boolean {
  return op === 'signUtxo' && order.intent.callDigest === undefined && order.intent.to === order.intent.from;
}
