import type { Authorities } from '../../charters/authorities';
import type { ReleaseFreezeOrder } from '../../orders/freeze-orders';
import type { JudgedOrder } from '../../orders/sign-once';
import type { Arithmetic, CreateKeyOrder, DeriveSharedOrder, ExportKeyOrder } from '../../protocol';
import type { Anchors } from '../../record/anchors';
import type { Held, KeyLog } from '../../record/key-log';
import type { Signed } from '../../record/signing-entries';
import type { SigningLog } from '../../record/signing-log';
import { assertNetworkAllowed } from './allowed-network';
import type { AskedOrder } from './asked-order';
import { judgeInput, judgeReviews } from './judge-fleet';
import { judgeHolding } from './judge-holding';
import { judgePeople } from './judge-people';
import { judgeRelease } from './judge-release';
import { judgeDerivation, judgeExport } from './judge-secret';
import { assertWithinLimits, sentBy } from './sent-units';

/** The network of the signed bytes, and the only network on which the signature can have an effect. */
type Where = Pick<JudgedOrder, 'network' | 'validOn'>;

type HeldKeyOrder = CreateKeyOrder & Required<Pick<CreateKeyOrder, 'holder'>>;

export type CharterPeople = ReturnType<typeof createPeople>;

/**
 * Judges what people signed for an order of an organisation that has a charter. Orders of other organisations are accepted
 * without this judgement.
 */
export function createPeople(
  authorities: Authorities,
  { storeOf }: Pick<KeyLog, 'storeOf'>,
  log: Pick<SigningLog, 'repeatable' | 'usedBy' | 'sentUnits' | 'latestHour' | 'mostAsked'>,
  anchors: Pick<Anchors, 'madeAtMs'>,
  arithmetic: Arithmetic,
  nowMs: () => number,
) {
  const judging = () => ({ anchors, nowMs: nowMs() });
  return {
    /**
     * Throws a `Refusal` unless people asked for the order. Returns parts of the log entry: the signed action, the wallets for
     * which the order is counted, and the amounts that leave the wallet.
     */
    judge(asked: AskedOrder, signed: Signed, { network, validOn }: Where): Pick<Signed, 'action' | 'asked' | 'sent'> {
      const charter = authorities.over(asked.order.sealed);
      assertNetworkAllowed(validOn, asked.order.sealed, charter, arithmetic);
      if (!charter) return {};
      const found = judgePeople(charter, asked, signed, { network, log, storeOf, ...judging() });
      const sent = sentBy(charter, asked, { isRepetition: found.isRepetition, nowMs: nowMs(), log });
      const { action, asked: counted } = found;
      return { ...(action ? { action } : {}), ...(counted ? { asked: counted } : {}), ...(sent ? { sent } : {}) };
    },
    /** Must run in the same step as the signature. Otherwise two simultaneous orders could together exceed a limit. */
    assertWithinLimits({ orgId, sent }: Signed): void {
      const charter = authorities.of(orgId);
      if (charter && sent) assertWithinLimits(charter, orgId, sent, log);
    },
    /**
     * Throws a `Refusal` unless people asked for the export and approved it. Returns the digest of the action that asked for the
     * export.
     */
    judgeExport(order: ExportKeyOrder): string | undefined {
      const charter = authorities.over(order.sealed);
      return charter && judgeExport(charter, order, judging()).digest;
    },
    /** Throws a `Refusal` unless a signed action asked for a new key of this end user. */
    judgeHolding: (order: HeldKeyOrder): Held => judgeHolding(authorities.of(order.orgId), order, judging()),
    /** Throws a `Refusal` unless a person asked for the shared secret. */
    assertDerivation(order: DeriveSharedOrder): void {
      const charter = authorities.over(order.sealed);
      if (charter) judgeDerivation(charter, order, judging());
    },
    /** The member who asked for the group, with the action. Throws a `Refusal` unless a member of the charter asked for it. */
    judgeInput(asked: Parameters<typeof judgeInput>[1]): ReturnType<typeof judgeInput> {
      const charter = authorities.of(asked.input.orgId);
      return charter && judgeInput(charter, asked, judging());
    },
    /** The digests of the reviewers' actions. Throws a `Refusal` unless each reviewer approved exactly this manifest. */
    judgeReviews(review: Parameters<typeof judgeReviews>[1]): readonly string[] | undefined {
      const charter = authorities.of(review.input.orgId);
      return charter && judgeReviews(charter, review, judging());
    },
    releasing:
      <R>(carryOut: (order: ReleaseFreezeOrder) => Promise<R>) =>
      async (order: ReleaseFreezeOrder): Promise<R> => {
        const charter = authorities.of(order.orgId);
        if (charter) judgeRelease(charter, order, judging());
        return carryOut(order);
      },
  };
}
