import { MINUTE_MS } from '../../domain/durations';
import { during } from '../../platform/points';
import type { AmendCharterOrder, Amendment, CharterHead } from '../charters/amend-charter-order';
import type { CharterInForce } from '../charters/charter-in-force';
import type { Charters } from '../charters/charters';
import type { KeysKnown } from '../judging/amendments/amender';
import { judgeHeldRemoval } from '../judging/amendments/held-credentials';
import { judgeHeldWallet } from '../judging/amendments/held-wallets';
import { judgeAmendment } from '../judging/amendments/judge-amendment';
import type { Anchors } from '../record/anchors';
import type { HeldWallets } from '../record/holders/held-wallets';
import type { HolderCredentials } from '../record/holders/holder-credentials';
import type { KeyHolding } from '../record/holders/holder-entries';
import type { KeyLog } from '../record/key-log';
import { refuseUnless } from '../wire/refusal';

/**
 * A tolerance, because anchors (dated texts of the signer) are renewed only every few seconds and a program may change one item
 * several times in a row.
 */
const OVERTAKEN_MS_MAX = MINUTE_MS;

type Parts = {
  readonly charters: Pick<Charters, 'of' | 'amendedBy' | 'isAmendedOften' | 'amend' | 'changedAtMs'>;
  readonly keys: KeysKnown & Pick<KeyLog, 'holderOf'>;
  readonly heldWallets: HeldWallets;
  readonly holders: Pick<HolderCredentials, 'known' | 'effectOf' | 'remove'>;
  readonly anchors: Pick<Anchors, 'madeAtMs'>;
  readonly nowMs: () => number;
};

/**
 * Judgement and change are one synchronous step, so no other change can come in between. An amendment that was withheld could
 * undo a later change of the same item, so the signer refuses such an amendment as stale. An amendment above the hourly limit is
 * refused without a judgement. The limit does not apply to the wallets and credentials of end users, because these do not change
 * the charter.
 */
export function createCharterAmender({ charters, keys, heldWallets, holders, anchors, nowMs }: Parts) {
  const hold = (charter: CharterInForce, held: HeldKey, { orgId, amendmentId, evidence }: AmendCharterOrder) => {
    const asked = { charter, evidence, keys, wallets: heldWallets, ...held };
    const judged = judgeHeldWallet(asked, { anchors, nowMs: nowMs() });
    const { sequence } = charter.content;
    return heldWallets.record({ orgId, amendmentId, ...judged, sequence, digest: charter.digest }, evidence);
  };
  const removed = (charter: CharterInForce, { orgId, amendmentId, evidence }: AmendCharterOrder, judged: HeldRemoval) => {
    const head = { sequence: charter.content.sequence, digest: charter.digest };
    const { removal, ...by } = judged;
    return removal ? holders.remove({ orgId, amendmentId, ...by, removal, ...head }, evidence) : head;
  };
  const amend = async (order: AmendCharterOrder): Promise<CharterHead> => {
    const { orgId, amendmentId, amendment, evidence } = order;
    const charter = charters.of(orgId);
    refuseUnless(charter !== undefined, 'NotInCharter');
    const known = charters.amendedBy(order);
    if (known) return known;
    const held = heldKeyIn(keys, order);
    if (held) return hold(charter, held, order);
    const removal = judgeHeldRemoval(charter, order, holders, { anchors, nowMs: nowMs() });
    if (removal) return removed(charter, order, removal);
    refuseUnless(!charters.isAmendedOften(orgId, amendment.kind), 'AmendmentsTooMany');
    const { action, changes, isApproved } = judgeAmendment(charter, order, { keys, anchors, nowMs: nowMs() });
    const isLatest = changes.every((change) => action.anchoredAtMs + OVERTAKEN_MS_MAX >= charters.changedAtMs(orgId, change));
    refuseUnless(isApproved || isLatest, 'AmendmentStale');
    const head = { orgId, amendmentId, amendment: amendment.kind, action: action.digest };
    return charters.amend({ ...head, changes, dateIssued: new Date(nowMs()).toISOString(), evidence });
  };
  return (order: AmendCharterOrder) => during('amendCharter', { orgId: order.orgId }, () => amend(order));
}

type HeldRemoval = NonNullable<ReturnType<typeof judgeHeldRemoval>>;
type HeldKey = { readonly holding: KeyHolding; readonly amendment: Amendment<'createWallet'> };

/** Undefined unless the order is about a wallet whose key an end user holds. */
function heldKeyIn(keys: Parts['keys'], { orgId, amendment }: AmendCharterOrder): HeldKey | undefined {
  if (amendment.kind !== 'createWallet') return undefined;
  const key = keys.find(amendment.keyId)?.sealed;
  const holding = key?.orgId === orgId ? keys.holderOf(key) : undefined;
  return holding && { holding, amendment };
}
