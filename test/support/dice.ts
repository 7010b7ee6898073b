/** Small numbers from a seed, so that a failure can be repeated. */
export type Dice = (sides: number) => number;

export function createDice(seed: number): Dice {
  let state = seed;
  return (sides) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * sides);
  };
}

export function pick<T>(roll: Dice, some: readonly [T, ...T[]]): T {
  return some[roll(some.length)] ?? some[0];
}
