/** Slots are as long as on the real network. So a blockhash, which is valid for 150 blocks, is valid for the same time too. */
export const SLOT_MS = 400;
export const BLOCKHASH_BLOCKS = 150;
/** One in this many slots has no block, as on the real network, where leaders miss their turn. */
const SKIPPED_EVERY = 16;
const SKIPPED_AT = 11;
/** How many slots each commitment level lags behind the open slot. */
const LAG = { processed: 1, confirmed: 2, finalized: 4 } as const;
export type Commitment = keyof typeof LAG;

export const isSkipped = (slot: number): boolean => slot % SKIPPED_EVERY === SKIPPED_AT;

/** The slot itself, or the last slot before it that has a block. */
export const withBlock = (slot: number): number => (isSkipped(slot) ? slot - 1 : slot);

/** The number of blocks up to this slot, without slot 0. */
export const blockHeight = (slot: number): number => slot - Math.floor((slot + SKIPPED_EVERY - SKIPPED_AT) / SKIPPED_EVERY);

/**
 * The slots follow the machine's clock. After a pause of the bank the slots are as far as if the network had continued.
 * `advancedBy` counts slots that a caller skipped.
 */
export class Slots {
  private advancedBy = 0;

  constructor(private readonly genesisMs: number) {}

  advance(slots: number): void {
    this.advancedBy += slots;
  }

  /** The slot that accepts transactions now. It is never a slot without a block. */
  open(): number {
    const slot = Math.max(0, Math.floor((Date.now() - this.genesisMs) / SLOT_MS)) + this.advancedBy + 10;
    return isSkipped(slot) ? slot + 1 : slot;
  }

  at(commitment: Commitment): number {
    return withBlock(this.open() - LAG[commitment]);
  }
}
