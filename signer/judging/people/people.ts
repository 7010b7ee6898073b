import type { Charters } from '../../charters/charters';
import type { ReleaseFreezeOrder } from '../../orders/freeze-orders';
import type { Signed } from '../../record/signing-entries';
import type { SigningLog } from '../../record/signing-log';
import { refuseUnless } from '../../wire/refusal';
import type { AskedOrder } from './asked-order';
import { judgePeople, type UsedAction } from './judge-people';
import { judgeRelease } from './judge-release';

/** What people must have signed for an order of an organisation that has a charter. Orders of other organisations pass. */
export function createPeople(
  charters: Pick<Charters, 'of'>,
  log: Pick<SigningLog, 'repeatable' | 'usedBy'>,
  nowMs: () => number,
) {
  return {
    /**
     * `network` is that of the signed bytes. Throws a `Refusal` unless people asked for the order. Returns the signed action;
     * undefined if the order needs none.
     */
    actionFor(asked: AskedOrder, signed: Signed, network: string | undefined): UsedAction | undefined {
      const charter = charters.of(asked.order.orgId);
      const known = { network, log, nowMs: nowMs() };
      return charter && judgePeople(charter, asked, signed, known);
    },
    /** For orders that the signer cannot judge yet: refused for an organisation with a charter. */
    withoutCharter:
      <O extends { readonly orgId: string }, R>(carryOut: (order: O) => Promise<R>) =>
      async (order: O): Promise<R> => {
        refuseUnless(charters.of(order.orgId) === undefined, 'NotWithCharter');
        return carryOut(order);
      },
    releasing:
      <R>(carryOut: (order: ReleaseFreezeOrder) => Promise<R>) =>
      async (order: ReleaseFreezeOrder): Promise<R> => {
        const charter = charters.of(order.orgId);
        if (charter) judgeRelease(charter, order, nowMs());
        return carryOut(order);
      },
  };
}
