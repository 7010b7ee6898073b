import { exactParts, ofParts, wholeMicro } from '../../domain/amounts';
import { movesNothing } from '../../domain/transfers';
import type { Reader, Tx } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { VerdictEntity } from '../../entities/policies/verdict.entity';
import { usageStore } from '../../entities/usage/usage.store';
import type { Facts, Subject, WindowUsage } from '../../policy/types';
import { sharesOf } from '../../policy/usage';

/** Far above all the money there is; digits behind the point are counted whatever their number. */
const COUNTED_DIGITS_MAX = 60;

type Used = {
  readonly subject: Subject;
  /** The exact value in micro-USD; null where the value is not known. */
  readonly amountUsdMicro: string | null;
  /** Minutes. */
  readonly timeframes: readonly number[];
};

type Given = Pick<OutgoingEntity, 'id' | 'walletId' | 'verdictId' | 'assetKind' | 'amountUnits'>;

/**
 * Counts an activity for each of its wallets at this moment, and answers what each window holds with it. The wallets stay locked until the
 * transaction ends, so of two activities at once the second sees the first (S9): call it last. Counted before, as at a release, the
 * activity moves to this moment and this value.
 */
export async function reserveUsage(
  tx: Tx,
  { activityId, subject, amountUsdMicro, timeframes }: Used & { readonly activityId: string },
): Promise<readonly WindowUsage[]> {
  const shares = sharesOf({ ...subject, amountUsdMicro });
  const walletIds = shares.map(({ walletId }) => walletId);
  if (walletIds.length === 0) return [];
  // Asked in one go and carried out in this order.
  const [, until] = await Promise.all([
    usageStore.lock(tx, walletIds),
    usageStore.count(tx, {
      activityId,
      shares: shares.map((share) => ({ ...share, amountUsdMicro: countable(share.amountUsdMicro) })),
    }),
  ]);
  return timeframes.length === 0 ? [] : usageStore.windows(tx, { walletIds, timeframes, until });
}

/** What each window would hold if such an activity were counted at this moment. Nothing is written or locked. */
export async function peekUsage(reader: Reader, { subject, amountUsdMicro, timeframes }: Used): Promise<readonly WindowUsage[]> {
  const walletIds = sharesOf({ ...subject, amountUsdMicro }).map(({ walletId }) => walletId);
  if (walletIds.length === 0 || timeframes.length === 0) return [];
  const until = await usageStore.now(reader);
  const present = await usageStore.windows(reader, { walletIds, timeframes, until });
  const plus = (used: string | null) =>
    used === null || amountUsdMicro === null ? null : ofParts(exactParts(used) + exactParts(amountUsdMicro));
  return present.map((window) => ({ ...window, count: window.count + 1, amountUsdMicro: plus(window.amountUsdMicro) }));
}

/**
 * Gives back what an activity has used of its windows. Only for one that was never let go on, of which nothing was signed, or whose claim was
 * finally consumed by another transaction (S9): a transaction of its own that reverted keeps its share.
 */
export async function giveBackUsage(tx: Tx, activityId: string): Promise<void> {
  const walletIds = await usageStore.walletsOf(tx, activityId);
  if (walletIds.length === 0) return;
  await usageStore.lock(tx, walletIds);
  await usageStore.giveBack(tx, activityId, walletIds);
}

/**
 * Counts once more, at this moment, what had given its share back to something that won and is undone (S9, S14): it may be carried out after all. Its
 * value is the one it was judged by; where that is not known, it counts as unknown.
 */
export async function countAgain(tx: Tx, row: Given): Promise<void> {
  const { id, walletId, verdictId } = row;
  if ((await usageStore.walletsOf(tx, id)).length > 0) return;
  const verdict = verdictId === null ? undefined : await tx.row(VerdictEntity, 'WHERE t.id = $1', [verdictId]);
  const facts = verdict?.facts as Partial<Facts> | undefined;
  const { otherWallets, isOwnKey, sponsor } = facts ?? {};
  const subject: Subject = {
    ...{ walletId, walletTags: [] },
    ...(otherWallets ? { otherWallets } : {}),
    ...(isOwnKey ? { isOwnKey } : {}),
    ...(sponsor ? { sponsor } : {}),
  };
  const amountUsdMicro = movesNothing(row) ? '0' : (facts?.amountUsdMicro ?? null);
  await reserveUsage(tx, { activityId: id, subject, amountUsdMicro, timeframes: [] });
}

/** A permit without end is worth more than a row holds; above that a value counts as unknown, which is above every limit as well. */
const countable = (amountUsdMicro: string | null) =>
  amountUsdMicro === null || wholeMicro(amountUsdMicro).toString().length > COUNTED_DIGITS_MAX ? null : amountUsdMicro;
