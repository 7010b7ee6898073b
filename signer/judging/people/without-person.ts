import { digestOf } from '../../../platform/canonical';
import type { CharterInForce } from '../../charters/charter-in-force';
import type { Signed } from '../../record/signing-entries';
import type { SigningLog } from '../../record/signing-log';
import { type AskedOrder, isOfSponsor, isPayload, onlyUsesUpClaims, sponsorOf } from './asked-order';
import { walletThatSigns } from './sent-units';

type FamilyAsked = Exclude<AskedOrder, { readonly op: 'signPayload' }>;

/**
 * The claims (such as nonces or coins) that only one of several orders can use up on chain. A sponsored operation has only one
 * such claim, the nonce of the operation. The operation may still take effect after the nonce of an authorization is used up, and
 * the sponsor has nonces of its own. A Solana order has no such claim. The value of a durable nonce may be a recent blockhash,
 * and the network executes a message with a recent blockhash whatever the nonce is (`check_transaction_age` in Agave).
 */
function exclusiveClaims({ op }: FamilyAsked, { claim, claims = [] }: Signed): readonly string[] {
  if (op === 'signSolana') return [];
  return claim === undefined || op === 'signSponsored' ? claims : [claim, ...claims];
}

/** Everything that people asked for and saw. Both keys of a sponsored order sign for the same content. */
function contentDigest({ op, order }: FamilyAsked): string {
  const { orgId, network, intent } = order;
  const encrypted = 'encrypted' in order ? order.encrypted : undefined;
  const content = { op, orgId, network, intent, encrypted, sponsor: 'sponsor' in order ? order.sponsor : undefined };
  return digestOf(JSON.parse(JSON.stringify(content)) as Parameters<typeof digestOf>[0]);
}

export function repeatableOf(asked: AskedOrder, signed: Signed): Signed['repeatable'] {
  if (isPayload(asked)) return undefined;
  return { contentDigest: contentDigest(asked), claims: new Set(exclusiveClaims(asked, signed)).size };
}

type Log = Pick<SigningLog, 'repeatable' | 'usedBy'>;

/**
 * Returns the log's record of the replaced request if this order uses up the same claims as every signature of that request. Only
 * one of the transactions can then take effect.
 */
function takesAllClaims(asked: FamilyAsked, signed: Signed, log: Log): Signed['repeatable'] {
  const { orgId, replaces } = asked.order;
  if (replaces === undefined) return undefined;
  const request = { orgId, requestId: replaces };
  const replaced = log.repeatable(request);
  if (!replaced || replaced.claims === 0) return undefined;
  return log.usedBy(request, exclusiveClaims(asked, signed)) === replaced.claims ? replaced : undefined;
}

const isFeeSponsor = ({ content, wallet }: CharterInForce, { network }: FamilyAsked['order'], address: string): boolean =>
  content.feeSponsors.some(({ walletId }) => {
    const found = wallet(walletId);
    return found?.network === network && found.address === address;
  });

/**
 * Why an order does not need a person. `Repeats`: the order repeats a signed payment in place of the earlier transaction.
 * `UsesUpClaims`: the order only uses up the sender's own nonce or coins. `Completes`: the sponsor's key signs what the sender's
 * key has signed for the same request.
 */
type NoPerson = 'Repeats' | 'UsesUpClaims' | 'Completes';

/** Undefined if a person has to ask for the order. */
export function whyNoPerson(charter: CharterInForce, asked: AskedOrder, signed: Signed, log: Log): NoPerson | undefined {
  if (isPayload(asked)) return undefined;
  const { order } = asked;
  const sponsor = sponsorOf(asked);
  if (isOfSponsor(asked)) {
    const own = log.repeatable({ orgId: order.orgId, requestId: order.requestId });
    const isKeyOfSponsor = charter.walletsOfKey(order.keyId).some(({ address }) => address === sponsor);
    const isOfOne = own?.contentDigest === contentDigest(asked) && isKeyOfSponsor;
    return isOfOne && isFeeSponsor(charter, order, sponsor ?? '') ? 'Completes' : undefined;
  }
  const replaced = takesAllClaims(asked, signed, log);
  if (replaced?.contentDigest === contentDigest(asked)) return 'Repeats';
  // The key may have funds on a network without a wallet in the charter, and the order would spend them on fees.
  if (!onlyUsesUpClaims(asked) || !walletThatSigns(charter, asked)) return undefined;
  // For an order that moves nothing, a fee sponsor pays only if the order replaces a signed order with the same claims.
  const isPaidFor = sponsor === undefined || (replaced !== undefined && isFeeSponsor(charter, order, sponsor));
  return isPaidFor ? 'UsesUpClaims' : undefined;
}
