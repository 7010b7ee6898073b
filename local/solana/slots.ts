/** Solana's own pace, and with it the time in which a blockhash expires: 150 blocks. */
export const SLOT_MS = 400;
export const BLOCKHASH_BLOCKS = 150;
/** Of each so many slots one stays without a block, as on the real network, where leaders miss their turn. */
const SKIPPED_EVERY = 16;
const SKIPPED_AT = 11;
/** How many slots the levels of commitment lag behind the open slot. */
const LAG = { processed: 1, confirmed: 2, finalized: 4 } as const;
export type Commitment = keyof typeof LAG;

export const isSkipped = (slot: number): boolean => slot % SKIPPED_EVERY === SKIPPED_AT;

/** The slot itself, or the last one before it that has a block. */
export const withBlock = (slot: number): number => (isSkipped(slot) ? slot - 1 : slot);

/** Blocks up to this slot, that of slot 0 not counted. */
export const blockHeight = (slot: number): number => slot - Math.floor((slot + SKIPPED_EVERY - SKIPPED_AT) / SKIPPED_EVERY);

/** Slots pass with the time of the machine, also while nobody runs the bank: as if others went on. `advancedBy` are those that a caller jumped over. */
export class Slots {
  private advancedBy = 0;

  constructor(private readonly genesisMs: number) {}

  advance(slots: number): void {
    this.advancedBy += slots;
  }

  /** The one that takes transactions now; never one that stays without a block. */
  open(): number {
    const slot = Math.max(0, Math.floor((Date.now() - this.genesisMs) / SLOT_MS)) + this.advancedBy + 10;
    return isSkipped(slot) ? slot + 1 : slot;
  }

  at(commitment: Commitment): number {
    return withBlock(this.open() - LAG[commitment]);
  }
}
