import { createHash } from 'node:crypto';

export type Random = {
  /** At least 0 and below 1. */
  readonly share: () => number;
  /** From `low` to `high`, inclusive. */
  readonly whole: (low: number, high: number) => number;
  readonly oneOf: <T>(some: readonly T[]) => T;
  readonly bytes: (count: number) => Uint8Array;
};

const RANGE = 2 ** 32;

/** The numbers depend only on `seed` and `part`, so the same seed gives the same schedule. */
export function randomOf(seed: string, part: string): Random {
  let drawn = 0;
  const block = () => createHash('sha256').update(`${seed}:${part}:${drawn++}`).digest();
  const share = () => block().readUInt32BE(0) / RANGE;
  const whole = (low: number, high: number) => low + Math.floor(share() * (high - low + 1));
  return {
    share,
    whole,
    oneOf: (some) => {
      const one = some[whole(0, some.length - 1)];
      if (one === undefined) throw new Error('There is nothing to choose from');
      return one;
    },
    bytes: (count) => new Uint8Array(block().subarray(0, count)),
  };
}
