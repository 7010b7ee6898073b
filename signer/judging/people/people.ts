import type { Charters } from '../../charters/charters';
import type { ReleaseFreezeOrder } from '../../orders/freeze-orders';
import type { JudgedOrder } from '../../orders/sign-once';
import type { Arithmetic, DeriveSharedOrder, ExportKeyOrder } from '../../protocol';
import type { Anchors } from '../../record/anchors';
import type { Signed } from '../../record/signing-entries';
import type { SigningLog } from '../../record/signing-log';
import { assertNetworkAllowed } from './allowed-network';
import type { AskedOrder } from './asked-order';
import { judgePeople } from './judge-people';
import { judgeRelease } from './judge-release';
import { judgeDerivation, judgeExport } from './judge-secret';
import { assertWithinLimits, sentBy } from './sent-units';

/** The network of the signed bytes, and the only network on which the signature can have an effect. */
type Where = Pick<JudgedOrder, 'network' | 'validOn'>;

export type CharterPeople = ReturnType<typeof createPeople>;

/** Judges what people signed for an order of an organisation that has a charter. Orders of other organisations pass. */
export function createPeople(
  charters: Pick<Charters, 'of'>,
  log: Pick<SigningLog, 'repeatable' | 'usedBy' | 'sentUnits' | 'latestHour' | 'mostAsked'>,
  anchors: Pick<Anchors, 'madeAtMs'>,
  arithmetic: Arithmetic,
  nowMs: () => number,
) {
  const judging = () => ({ anchors, nowMs: nowMs() });
  return {
    /**
     * Throws a `Refusal` unless people asked for the order. Returns parts of the log entry: the signed action, the wallets for
     * which the order counts, and the amounts that leave the wallet.
     */
    judge(asked: AskedOrder, signed: Signed, { network, validOn }: Where): Pick<Signed, 'action' | 'asked' | 'sent'> {
      const charter = charters.of(asked.order.orgId);
      assertNetworkAllowed(validOn, asked.order.sealed, charter, arithmetic);
      if (!charter) return {};
      const found = judgePeople(charter, asked, signed, { network, log, ...judging() });
      const sent = sentBy(charter, asked, { isRepetition: found.isRepetition, nowMs: nowMs(), log });
      const { action, asked: counted } = found;
      return { ...(action ? { action } : {}), ...(counted ? { asked: counted } : {}), ...(sent ? { sent } : {}) };
    },
    /** Must run in the same step as the signature, or two orders at once could exceed a limit together. */
    assertWithinLimits({ orgId, sent }: Signed): void {
      const charter = charters.of(orgId);
      if (charter && sent) assertWithinLimits(charter, orgId, sent, log);
    },
    /** Throws a `Refusal` unless people asked for the export and approved it. Returns the digest of the action that asked. */
    judgeExport(order: ExportKeyOrder): string | undefined {
      const charter = charters.of(order.orgId);
      return charter && judgeExport(charter, order, judging()).digest;
    },
    /** Throws a `Refusal` unless a person asked for the shared secret. */
    assertDerivation(order: DeriveSharedOrder): void {
      const charter = charters.of(order.orgId);
      if (charter) judgeDerivation(charter, order, judging());
    },
    releasing:
      <R>(carryOut: (order: ReleaseFreezeOrder) => Promise<R>) =>
      async (order: ReleaseFreezeOrder): Promise<R> => {
        const charter = charters.of(order.orgId);
        if (charter) judgeRelease(charter, order, judging());
        return carryOut(order);
      },
  };
}
