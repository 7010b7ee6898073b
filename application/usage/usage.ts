import { exactParts, ofParts, wholeMicro } from '../../domain/amounts';
import { movesNothing } from '../../domain/transfers';
import { charterStore } from '../../entities/charters/charter.store';
import type { Reader, Tx } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { VerdictEntity } from '../../entities/policies/verdict.entity';
import { usageStore } from '../../entities/usage/usage.store';
import type { Facts, Subject, WindowUsage } from '../../policy/types';
import { sharesOf } from '../../policy/usage';

/** The highest number of digits before the decimal point of a counted value: far more than all existing money. */
const COUNTED_DIGITS_MAX = 60;

type Used = {
  readonly subject: Subject;
  /** The exact value in micro-USD; null if unknown. */
  readonly amountUsdMicro: string | null;
  /** In minutes. */
  readonly timeframes: readonly number[];
};

type Given = Pick<OutgoingEntity, 'id' | 'walletId' | 'verdictId' | 'assetKind' | 'amountUnits'>;

/**
 * Adds an activity to the usage of its wallets, with the current time. Returns the total of each window including the activity.
 * Call this function last, because the wallets stay locked until the database transaction ends. The locks make the second of two
 * concurrent activities see the first activity (S9). An activity that is judged again at its release gets the current time and
 * value.
 */
export async function reserveUsage(
  tx: Tx,
  { activityId, subject, amountUsdMicro, timeframes }: Used & { readonly activityId: string },
): Promise<readonly WindowUsage[]> {
  const shares = sharesOf({ ...subject, amountUsdMicro });
  const walletIds = shares.map(({ walletId }) => walletId);
  if (walletIds.length === 0) return [];
  // The database executes this batch in order: the locks come before the count.
  const [, until] = await Promise.all([
    usageStore.lock(tx, walletIds),
    usageStore.count(tx, {
      activityId,
      shares: shares.map((share) => ({ ...share, amountUsdMicro: countable(share.amountUsdMicro) })),
    }),
  ]);
  return timeframes.length === 0 ? [] : usageStore.windows(tx, { walletIds, timeframes, until });
}

/** The total that each window would have if the activity were counted now. Writes and locks nothing. */
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
 * Call this function only for an activity that was never released or never signed, or whose own transaction will never be in
 * the chain (S9). An activity whose own transaction reverted keeps its share.
 */
export async function giveBackUsage(tx: Tx, activityId: string): Promise<void> {
  const walletIds = await usageStore.walletsOf(tx, activityId);
  if (walletIds.length === 0) return;
  await usageStore.lock(tx, walletIds);
  await usageStore.giveBack(tx, activityId, walletIds);
}

/**
 * Like `giveBackUsage`, for a signed activity. Under a charter the activity keeps its share, because the signer counts
 * everything that it has signed, even a transaction without effect on the chain. A lower count in the service would let
 * activities pass that the signer then refuses.
 */
export async function giveBackSigned(tx: Tx, activityId: string): Promise<void> {
  if (!(await charterStore.isKnown(tx))) await giveBackUsage(tx, activityId);
}

/**
 * Counts an activity again after a reorg has removed the transaction that had taken the activity's claim (S9, S14). The counted
 * value is the value by which the activity was judged; an unknown value stays unknown.
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

/** A value with more than `COUNTED_DIGITS_MAX` digits is stored as unknown, and an unknown value exceeds every limit. */
const countable = (amountUsdMicro: string | null) =>
  amountUsdMicro === null || wholeMicro(amountUsdMicro).toString().length > COUNTED_DIGITS_MAX ? null : amountUsdMicro;
