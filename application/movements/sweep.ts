import type { DifferenceCause } from '../../domain/balance-differences';
import type { NetworkName } from '../../domain/networks';
import type { Tx } from '../../entities/database';
import type { BalanceSweepEntity, StoredUnits } from '../../entities/scans/balance-sweep.entity';
import { balanceSweepStore, type NewDifference, type SumOfMovements } from '../../entities/scans/balance-sweep.store';
import { type ConfirmedPlace, scanStore } from '../../entities/scans/scan.store';

const NATIVE = '';
/** The balances of an address are compared again after this time. */
const AGAIN_MINUTES = 60;
/** After a confirmed movement, the balances of the address are compared again within this time. */
export const MOVED_MINUTES = 10;

/** Balances after one block. */
export type Reading = {
  readonly height: number;
  readonly hash: string;
  readonly units: ReadonlyMap<string, StoredUnits>;
};
export type ToldDifference = { readonly subjectId: string; readonly cause: DifferenceCause };

type Settled = {
  /** The number of subjects whose balances this call stored. */
  readonly subjects: number;
  /** Only the differences for which this call added a row. */
  readonly told: readonly ToldDifference[];
};
const NOTHING: Settled = { subjects: 0, told: [] };

/**
 * Compares the balances of one organisation's addresses after a block with the balances of the previous reading and the movements
 * in between. A difference is recorded once, and the next comparison starts from the balance that was found: no movement is
 * invented. Does nothing if the block is no longer in the chain.
 */
export async function settleReading(tx: Tx, network: NetworkName, { height, hash, units }: Reading): Promise<Settled> {
  const place = await scanStore.confirmedPlace(tx, network, { height, hash });
  if (!place) return NOTHING;
  const liveFrom = await balanceSweepStore.lock(tx, [...units.keys()]);
  const before = new Map((await balanceSweepStore.readings(tx, [...units.keys()])).map((one) => [one.subjectId, one]));
  // Another worker may have compared at a later block in the meantime.
  const stated = [...units].filter(([id]) => liveFrom.has(id) && Number(before.get(id)?.height ?? -1) < height);
  const ranges = stated.flatMap(([subjectId]) => {
    const one = before.get(subjectId);
    return isComparable(one, place, liveFrom.get(subjectId)) ? [{ subjectId, after: Number(one.height), upTo: height }] : [];
  });
  const moved = ranges.length === 0 ? [] : await balanceSweepStore.moved(tx, ranges);
  const told: ToldDifference[] = [];
  for (const { subjectId, after } of ranges) {
    const own = moved.filter((one) => one.subjectId === subjectId);
    const [old, now] = [before.get(subjectId), units.get(subjectId)];
    if (!old || !now) continue;
    const isUntraced = place.untraced > Number(old.untraced);
    for (const found of differencesOf(old.units, now, own)) {
      const cause = found.contract === NATIVE && isUntraced ? 'Untraced' : 'Unexplained';
      const where = { subjectId, network, fromHeight: String(after), toHeight: String(height) };
      if (await balanceSweepStore.tell(tx, { ...found, ...where, cause })) told.push({ subjectId, cause });
    }
  }
  const counts = { untraced: String(place.untraced), reversals: place.reversals };
  await balanceSweepStore.keep(
    tx,
    stated.map(([subjectId, own]) => ({ subjectId, height: String(height), units: own, ...counts })),
  );
  await balanceSweepStore.putOff(tx, [...units.keys()], AGAIN_MINUTES);
  if (told.length > 0) await scanStore.noteUnexplained(tx, network, told.length);
  return { subjects: stated.length, told };
}

/**
 * Balances from before a reorganisation of confirmed blocks may belong to blocks that no longer exist. Before `liveFrom` movements
 * may be missing.
 */
const isComparable = (
  before: BalanceSweepEntity | undefined,
  { reversals }: ConfirmedPlace,
  liveFrom = Number.POSITIVE_INFINITY,
): before is BalanceSweepEntity =>
  before !== undefined && before.reversals === reversals && Number(before.height) >= liveFrom - 1;

type Found = Pick<NewDifference, 'contract' | 'expectedUnits' | 'foundUnits'>;

/** Compares only the assets that both readings contain. */
function differencesOf(old: StoredUnits, now: StoredUnits, moved: readonly SumOfMovements[]): Found[] {
  const fees = moved.reduce((sum, one) => sum + BigInt(one.fees), 0n);
  return Object.entries(now).flatMap(([contract, foundUnits]): Found[] => {
    const start = old[contract];
    if (start === undefined) return [];
    const sum = BigInt(moved.find((one) => one.contract === contract)?.units ?? '0');
    const expected = BigInt(start) + sum - (contract === NATIVE ? fees : 0n);
    return expected === BigInt(foundUnits) ? [] : [{ contract, expectedUnits: String(expected), foundUnits }];
  });
}
