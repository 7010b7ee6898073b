/**
 * A movement into or out of one address in a block. A list of movements keeps the order of the block. A text is empty if it does
 * not apply to the movement.
 */
export type NaiveMovement = {
  readonly address: string;
  readonly direction: 'In' | 'Out';
  readonly kind: string;
  readonly height: number;
  readonly blockHash: string;
  readonly date: string;
  readonly txHash: string;
  /** Spaces separate several senders, and several recipients. */
  readonly from: string;
  readonly to: string;
  readonly contract: string;
  readonly tokenId: string;
  readonly logIndex: string;
  readonly amount: string;
  readonly fee: string;
  readonly isReverted: boolean;
};

/** A holder of an address. */
export type NaiveSubject = {
  readonly orgId: string;
  readonly subjectId: string;
  readonly address: string;
  /** The heights at which the subject was watched. */
  readonly during: readonly { readonly from: number; readonly to: number }[];
};

/** The lines that the rows of these subjects must equal. `finalHeight` is the last height that is final. */
export const naiveLines = (
  subjects: readonly NaiveSubject[],
  movements: readonly NaiveMovement[],
  finalHeight: number,
): string[] =>
  subjects.flatMap(({ subjectId, address, during }) =>
    movements
      .filter((one) => one.address === address && during.some(({ from, to }) => from <= one.height && one.height <= to))
      .map((one) => lineOf({ subjectId, ...one, status: one.height <= finalHeight ? 'Confirmed' : 'Included' })),
  );

export type Line = NaiveMovement & { readonly subjectId: string; readonly status: string };

export const lineOf = (line: Line): string => JSON.stringify(line, Object.keys(line).sort());
