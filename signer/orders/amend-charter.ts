import { MINUTE_MS } from '../../domain/durations';
import { during } from '../../platform/points';
import type { AmendCharterOrder, CharterHead } from '../charters/amend-charter-order';
import type { Charters } from '../charters/charters';
import type { KeysKnown } from '../judging/amendments/amender';
import { judgeAmendment } from '../judging/amendments/judge-amendment';
import type { Anchors } from '../record/anchors';
import { refuseUnless } from '../wire/refusal';

/** A tolerance, because anchors are renewed only every few seconds and a program may change one item several times in a row. */
const OVERTAKEN_MS_MAX = MINUTE_MS;

type Parts = {
  readonly charters: Pick<Charters, 'of' | 'amendedBy' | 'isAmendedOften' | 'amend' | 'changedAtMs'>;
  readonly keys: KeysKnown;
  readonly anchors: Pick<Anchors, 'madeAtMs'>;
  readonly nowMs: () => number;
};

/**
 * Judgement and change are one synchronous step, so no other change can come in between. An amendment that was withheld must not
 * undo a later change of the same item, and is refused as stale. An amendment above the hourly limit is refused unjudged.
 */
export function createCharterAmender({ charters, keys, anchors, nowMs }: Parts) {
  const amend = async (order: AmendCharterOrder): Promise<CharterHead> => {
    const { orgId, amendmentId, amendment, evidence } = order;
    const charter = charters.of(orgId);
    refuseUnless(charter !== undefined, 'NotInCharter');
    const known = charters.amendedBy(order);
    if (known) return known;
    refuseUnless(!charters.isAmendedOften(orgId, amendment.kind), 'AmendmentsTooMany');
    const { action, changes, isApproved } = judgeAmendment(charter, order, { keys, anchors, nowMs: nowMs() });
    const isLatest = changes.every((change) => action.anchoredAtMs + OVERTAKEN_MS_MAX >= charters.changedAtMs(orgId, change));
    refuseUnless(isApproved || isLatest, 'AmendmentStale');
    const head = { orgId, amendmentId, amendment: amendment.kind, action: action.digest };
    return charters.amend({ ...head, changes, dateIssued: new Date(nowMs()).toISOString(), evidence });
  };
  return (order: AmendCharterOrder) => during('amendCharter', { orgId: order.orgId }, () => amend(order));
}
