/** The real network has the same slot length and the same number of blocks, so a blockhash lasts equally long. */
export const SLOT_MS = 400;
export const BLOCKHASH_BLOCKS = 150;
/** The slot that is open at the start, so that earlier slots are final. */
const FIRST_SLOT = 10;
/** One slot in this many has no block, as if its leader missed its turn. */
const SKIPPED_EVERY = 16;
const SKIPPED_AT = 11;
/** The slots between a commitment level and the open slot. */
const LAG = { processed: 1, confirmed: 2, finalized: 4 } as const;
export type Commitment = keyof typeof LAG;

export const isSkipped = (slot: number): boolean => slot % SKIPPED_EVERY === SKIPPED_AT;

/** This slot, or the last earlier slot with a block. */
export const withBlock = (slot: number): number => (isSkipped(slot) ? slot - 1 : slot);

/** The number of blocks up to this slot, without the block of slot 0. */
export const blockHeight = (slot: number): number => slot - Math.floor((slot + SKIPPED_EVERY - SKIPPED_AT) / SKIPPED_EVERY);

/** Follows the machine's clock, also while the bank does not run. A caller has moved the bank forward by `advancedBy` slots. */
export class Slots {
  private advancedBy = 0;

  constructor(private readonly genesisMs: number) {}

  advance(slots: number): void {
    this.advancedBy += slots;
  }

  /** The slot that accepts transactions now. This slot always has a block. */
  open(): number {
    const slot = Math.max(0, Math.floor((Date.now() - this.genesisMs) / SLOT_MS)) + this.advancedBy + FIRST_SLOT;
    return isSkipped(slot) ? slot + 1 : slot;
  }

  /** When the slot began, in seconds. After an `advance` the bank's time is ahead of the machine's clock. */
  timeOf(slot: number): number {
    return Math.floor((this.genesisMs + (slot - FIRST_SLOT) * SLOT_MS) / 1_000);
  }

  at(commitment: Commitment): number {
    return withBlock(this.open() - LAG[commitment]);
  }
}
