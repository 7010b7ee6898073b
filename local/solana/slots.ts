/**
 * A slot is as long as on the real network. A blockhash is valid for 150 blocks, and so for the same time as on the real
 * network.
 */
export const SLOT_MS = 400;
export const BLOCKHASH_BLOCKS = 150;
/** One in this many slots has no block. On the real network, too, a slot has no block if its leader misses its turn. */
const SKIPPED_EVERY = 16;
const SKIPPED_AT = 11;
/** How many slots each commitment level lags behind the open slot. */
const LAG = { processed: 1, confirmed: 2, finalized: 4 } as const;
export type Commitment = keyof typeof LAG;

export const isSkipped = (slot: number): boolean => slot % SKIPPED_EVERY === SKIPPED_AT;

/** Returns this slot if it has a block. Otherwise returns the last earlier slot with a block. */
export const withBlock = (slot: number): number => (isSkipped(slot) ? slot - 1 : slot);

/** Returns the number of blocks up to this slot. The block of slot 0 does not count. */
export const blockHeight = (slot: number): number => slot - Math.floor((slot + SKIPPED_EVERY - SKIPPED_AT) / SKIPPED_EVERY);

/**
 * The slots of the bank, which follow the machine's clock. While the bank does not run, the slots continue, as on a network.
 * `advancedBy` is the number of slots by which a caller has moved the bank forward.
 */
export class Slots {
  private advancedBy = 0;

  constructor(private readonly genesisMs: number) {}

  advance(slots: number): void {
    this.advancedBy += slots;
  }

  /** Returns the slot that accepts transactions at this moment. This slot always has a block. */
  open(): number {
    const slot = Math.max(0, Math.floor((Date.now() - this.genesisMs) / SLOT_MS)) + this.advancedBy + 10;
    return isSkipped(slot) ? slot + 1 : slot;
  }

  at(commitment: Commitment): number {
    return withBlock(this.open() - LAG[commitment]);
  }
}
