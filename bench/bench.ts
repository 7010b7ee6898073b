/** One measured number. `aim` is its target; a figure without one is only reported. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 's' | '1/s' | 'MB' | 'bytes' | 'ratio' | 'percent' | 'count';
  readonly aim?: { readonly atMost: number } | { readonly atLeast: number };
  readonly note?: string;
  /** Its cell in a table of the results; a figure without one is a line of the list. */
  readonly cell?: { readonly table: string; readonly row: string; readonly column: string };
};

/** One subject that is measured alone: `size` below 1 is a quick look, 1 the size that the results name. */
export type Bench = {
  readonly name: string;
  readonly run: (options: { readonly size: number; readonly say: (line: string) => void }) => Promise<readonly Figure[]>;
};
