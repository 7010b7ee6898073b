import { digestOf } from '../../platform/canonical';
import { openDek } from '../keys/envelope';
import type { KekProvider } from '../keys/kek';
import type { DekRow } from '../protocol';
import type { Addon } from './addon';

/**
 * A data key in locked memory serves new orders for at most this long, so that the withdrawal of a key-encryption key takes
 * effect within this time.
 */
export const HELD_MS_MAX = 5 * 60_000;
/**
 * Lower than the number of slots in vault.h. The other slots are for roots, and for data keys that orders under way keep after
 * `HELD_MS_MAX`.
 */
export const DATA_KEYS_HELD_MAX = 256;

export type HeldDataKey = { readonly slot: number; release(): void };
type Held = { readonly slot: Promise<number>; readonly until: number; users: number; isForgotten: boolean };

/**
 * Data keys cached in locked memory. A lookup compares every member of the row, so an altered row never finds the data key of
 * the original row.
 */
export function createHeldDataKeys(addon: Addon, kek: KekProvider, nowMs: () => number) {
  const byRow = new Map<string, Held>();

  const dropIfUnused = (held: Held) => {
    if (!held.isForgotten || held.users > 0) return;
    void held.slot.then(
      (slot) => addon.dropKey(slot),
      () => undefined,
    );
  };
  const forget = (row: string, held: Held) => {
    byRow.delete(row);
    held.isForgotten = true;
    dropIfUnused(held);
  };
  const forgetOld = () => {
    for (const [row, held] of byRow) {
      if (held.until <= nowMs() || byRow.size > DATA_KEYS_HELD_MAX) forget(row, held);
    }
  };
  const open = (dek: DekRow, orgId: string): Held => {
    const slot = openDek(kek, dek, orgId).then((key) => addon.putKey(key));
    return { slot, until: nowMs() + HELD_MS_MAX, users: 0, isForgotten: false };
  };

  /** Throws the same errors as `openDek`. */
  return async (dek: DekRow, orgId: string): Promise<HeldDataKey> => {
    const row = digestOf({ orgId, dek });
    forgetOld();
    const held = byRow.get(row) ?? open(dek, orgId);
    byRow.set(row, held);
    // This use is counted before the wait, so that a concurrent clean-up does not drop this key.
    held.users += 1;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      held.users -= 1;
      dropIfUnused(held);
    };
    try {
      return { slot: await held.slot, release };
    } catch (error) {
      if (byRow.get(row) === held) byRow.delete(row);
      throw error;
    }
  };
}
