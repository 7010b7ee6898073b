/** `refused` counts rows that could not be decrypted and were left unchanged. `next` is the start of the next page. */
export type RotationRound = {
  readonly looked: number;
  readonly done: number;
  readonly refused: number;
  readonly next?: string;
};

/** `passes` is the number of completed passes over all rows; the last pass finds no row to change. */
export type RotationProgress = {
  readonly looked: number;
  readonly done: number;
  readonly refused: number;
  readonly passes: number;
};

export const NOTHING_ROTATED: RotationProgress = { looked: 0, done: 0, refused: 0, passes: 0 };

/** A result without `next` completes the pass. */
export const rotatedSoFar = (sums: RotationProgress, round: RotationRound): RotationProgress => ({
  looked: sums.looked + round.looked,
  done: sums.done + round.done,
  refused: sums.refused + round.refused,
  passes: sums.passes + (round.next === undefined ? 1 : 0),
});

export type DataKeyStanding = {
  readonly id: string;
  readonly kekId: string;
  readonly state: 'Active' | 'DecryptOnly' | 'Destroyed';
  readonly keys: number;
};
