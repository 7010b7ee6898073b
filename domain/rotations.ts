/** One page of a rotation. `refused` rows do not open and were left unchanged; `next` is where the next page begins. */
export type RotationRound = {
  readonly looked: number;
  readonly done: number;
  readonly refused: number;
  readonly next?: string;
};

/** The progress of a rotation. `passes` counts how often it went through all rows: the last pass found nothing to do. */
export type RotationProgress = {
  readonly looked: number;
  readonly done: number;
  /** Rows of the current pass whose ciphertext does not open. */
  readonly refused: number;
  readonly passes: number;
};

export const NOTHING_ROTATED: RotationProgress = { looked: 0, done: 0, refused: 0, passes: 0 };

/** The sums after another page; a page without a next one ends the pass. */
export const rotatedSoFar = (sums: RotationProgress, round: RotationRound): RotationProgress => ({
  looked: sums.looked + round.looked,
  done: sums.done + round.done,
  refused: sums.refused + round.refused,
  passes: sums.passes + (round.next === undefined ? 1 : 0),
});

/** The state of one data key of an organisation. */
export type DataKeyStanding = {
  readonly id: string;
  readonly kekId: string;
  readonly state: 'Active' | 'DecryptOnly' | 'Destroyed';
  readonly keys: number;
};
