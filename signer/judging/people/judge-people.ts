import { ACTION_AGE_MS_MAX } from '../../../domain/anchors';
import { paramsIn } from '../../../domain/causes';
import { CHARTER_CAUSES } from '../../../domain/charter-requests';
import type { PolicyInForce } from '../../../domain/policies';
import { applying, evaluate } from '../../../policy/evaluate';
import { needsOf } from '../../../policy/needs';
import type { Facts } from '../../../policy/types';
import { sharesOf } from '../../../policy/usage';
import type { CharterWallet } from '../../charters/charter';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { Signed } from '../../record/signing-entries';
import type { SigningLog } from '../../record/signing-log';
import { Refusal, refuseUnless } from '../../wire/refusal';
import { assertRequested } from '../requests/assert-requested';
import { assertNotOlder, heldAgeMsMax, type Judging } from './action-age';
import { approvedEnvelope } from './approved-groups';
import { type AskedOrder, isConfidential, isOfSponsor, isPayload, sponsorOf } from './asked-order';
import { assertApprovedContent } from './same-envelope';
import { assertCounts, initiatingActionOf, type SignedAction, voteActionIn } from './signed-action';
import { whyNoPerson } from './without-person';

/** Orders with other causes do not need a person (`whyNoPerson`). */
type PersonCause = (typeof CHARTER_CAUSES)[number];

type Known = Judging & {
  readonly log: Parameters<typeof whyNoPerson>[3] & Pick<SigningLog, 'mostAsked'>;
  /** The key store of a key of the organisation. Undefined if the store is unknown. */
  readonly storeOf: (keyId: string) => string | undefined;
  /** The network whose transaction is signed. */
  readonly network: string | undefined;
};

/**
 * `action` is the signed action that requests the order. `action` and `asked` are undefined if the order does not need a person.
 */
type Judgement = Pick<Signed, 'action' | 'asked'> & { readonly isRepetition: boolean };

/**
 * Throws a `Refusal` unless people with the right to do so asked for exactly this order. If the policies of the charter demand an
 * approval, people must also have approved the order. `whyNoPerson` decides which orders do not need a person.
 */
export function judgePeople(charter: CharterInForce, asked: AskedOrder, signed: Signed, known: Known): Judgement {
  const reason = whyNoPerson(charter, asked, signed, known.log);
  if (reason !== undefined) return { isRepetition: reason === 'Repeats' };
  refuseUnless(!isOfSponsor(asked), 'RequestMismatch');
  const { order } = asked;
  // The ciphertext does not show the amount, so the worker could encrypt an amount that people did not ask for.
  refuseUnless(!isConfidential(asked), 'NotWithCharter');
  const action = initiatingActionOf(charter, order.evidence ?? [], known);
  const { cause, params } = causeOf(action);
  assertCounts(action, cause);
  const wallet = walletOf(charter, asked, params);
  const { feeSponsorId } = assertRequested(asked.op, order as never, { cause, body: action.body });
  const sponsor = feeSponsorId === null ? undefined : charter.sponsorWallet(feeSponsorId);
  refuseUnless(feeSponsorId === null || sponsor !== undefined, 'NotInCharter');
  assertKeys(asked, known.network, { wallet, sponsor });
  const { userId } = action.member;
  const facts = factsFor(charter, asked, { initiatorId: userId, wallet, sponsor, storeOf: known.storeOf });
  const { orgId } = order;
  const { anchoredAtMs: atMs } = action;
  const { policies } = charter.content;
  // Evaluates the policies of the charter with the same code as the worker.
  const verdict = evaluate(policies, { ...facts, ...provedUsage(policies, facts, { ...known, orgId, atMs }) });
  refuseUnless(verdict.outcome !== 'Blocked', 'PolicyBlocked');
  const isHeld = verdict.outcome === 'Held';
  const ageMsMax = isHeld ? heldAgeMsMax(verdict.autoRejectTimeoutMinutes) : ACTION_AGE_MS_MAX.unapproved;
  assertNotOlder(action, ageMsMax, known);
  if (isHeld) {
    const { requestId, evidence = [] } = order;
    const initiated = { initiatorId: userId, initiatedAtMs: atMs };
    const grounds = { requestId, activityKind: 'Wallets:Sign', ...initiated, demands: verdict.groups } as const;
    const actionOf = voteActionIn(charter, ageMsMax, known);
    const envelope = approvedEnvelope(charter, { ...grounds, evidence, actionOf }, known.nowMs);
    assertApprovedContent(asked, known.network, envelope);
  }
  return {
    action: { digest: action.digest, requestId: order.requestId },
    asked: { atMs, walletIds: countedWallets(facts) },
    isRepetition: false,
  };
}

function causeOf({ method, path }: SignedAction): {
  readonly cause: PersonCause;
  readonly params: Readonly<Record<string, string>>;
} {
  for (const cause of CHARTER_CAUSES) {
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

/** The order must use the key of the wallet that the person named, and the sponsor that the person named must pay. */
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
  refuseUnless(keyId === wallet.keyId, 'RequestMismatch');
}

type Subject = Pick<Known, 'storeOf'> & {
  readonly initiatorId: string;
  readonly wallet: CharterWallet | null;
  readonly sponsor: CharterWallet | undefined;
};

/** The store by the signer's own record, whatever the worker says. */
const keyFacts = (storeId: string | undefined) => (storeId === undefined ? {} : { storeId });
const walletFacts = ({ id, tags }: CharterWallet) => ({ walletId: id, walletTags: tags });

/** Facts that the signer can establish itself replace the facts from the worker. */
function factsFor(
  { content, walletsOfKey }: CharterInForce,
  asked: AskedOrder,
  { initiatorId, wallet, sponsor, storeOf }: Subject,
): Facts {
  const { attested: { amountUsdMicro = null, sponsorAmountUsdMicro = null, ...attested } = {} } = asked.order;
  // Unlike a payment, a signature may also be valid for the other wallets of the key.
  const ofKey = isPayload(asked) ? walletsOfKey(asked.order.keyId).filter(({ id }) => id !== wallet?.id) : [];
  const [first, ...others] = [...(wallet ? [wallet] : []), ...ofKey];
  const sponsorFacts = (paying: CharterWallet) => ({ ...walletFacts(paying), ...keyFacts(storeOf(paying.keyId)) });
  const network = isPayload(asked) ? (wallet?.network ?? first?.network ?? '') : asked.order.network;
  const registered = content.registryAddresses.filter((one) => one.network === network).map(({ id, address }) => [id, address]);
  return {
    ...(first ? walletFacts(first) : { walletId: null, walletTags: [] }),
    otherWallets: others.map(walletFacts),
    initiatorId,
    recipients: recipientsOf(asked),
    ...(comesBackWhole(asked) ? { paysNobody: true } : {}),
    amountUsdMicro,
    network,
    ...attested,
    ...keyFacts(storeOf(asked.order.keyId)),
    registryAddresses: Object.fromEntries(registered),
    ...(sponsor ? { sponsor: { ...sponsorFacts(sponsor), amountUsdMicro: sponsorAmountUsdMicro } } : {}),
  };
}

/** The wallets for which velocity rules count the request. The worker counts in the same way. */
const countedWallets = (facts: Facts): string[] => [...new Set(sharesOf(facts).map(({ walletId }) => walletId))];

/**
 * Replaces the worker's count of a window by the signer's own count if the signer's count is higher, so that a worker gains
 * nothing by counting too little. The worker's count may be higher, because it also includes requests that are not signed yet.
 */
function provedUsage(
  policies: readonly PolicyInForce[],
  facts: Facts,
  { orgId, atMs, log, nowMs }: { readonly orgId: string; readonly atMs: number } & Pick<Known, 'log' | 'nowMs'>,
): Pick<Facts, 'usage'> {
  const { usage = [] } = facts;
  // Most orders are not subject to a velocity rule, and therefore have no usage. They skip the search for windows, which is a
  // pass over all policies.
  if (usage.length === 0) return {};
  const { timeframes } = needsOf(applying(policies, facts));
  const walletIds = countedWallets(facts);
  const proved = timeframes.flatMap((timeframeMinutes) =>
    walletIds.flatMap((walletId) => {
      const window = usage.find((one) => one.walletId === walletId && one.timeframeMinutes === timeframeMinutes);
      if (!window) return [];
      const signed = log.mostAsked({ orgId, walletId, timeframeMinutes, atMs }, nowMs);
      return [{ ...window, count: Math.max(window.count, signed + 1) }];
    }),
  );
  return { usage: proved };
}

/** Empty, which means unknown, unless the signer's decoder has found that the order pays only this recipient. */
function recipientsOf(asked: AskedOrder): readonly string[] {
  if (isPayload(asked)) return [];
  const { intent } = asked.order;
  // The decoder has read the effect of a single call on EVM networks, unless the call is to code of an unknown kind.
  const isRead = intent.callDigest === undefined || (asked.op === 'signTransfer' && asked.order.intent.asset.kind !== 'Call');
  return isRead ? [intent.to] : [];
}

/** True for an order of the Bitcoin family if the signer's decoder has found that every output pays the sender. */
function comesBackWhole({ op, order }: AskedOrder): boolean {
  return op === 'signUtxo' && order.intent.callDigest === undefined && order.intent.to === order.intent.from;
}
