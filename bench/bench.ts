/** One measured number. `aim` is its target; a figure without `aim` is only reported. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 's' | '1/s' | 'MB' | 'bytes' | 'ratio' | 'percent' | 'count';
  readonly aim?: { readonly atMost: number } | { readonly atLeast: number };
  readonly note?: string;
  /** The figure's cell in a table of the results. A figure without `cell` is a line of the list. */
  readonly cell?: { readonly table: string; readonly row: string; readonly column: string };
};

/**
 * One subject that is measured separately. A `size` below 1 makes the run shorter, and 1 is the size of the recorded results.
 */
export type Bench = {
  readonly name: string;
  readonly run: (options: { readonly size: number; readonly say: (line: string) => void }) => Promise<readonly Figure[]>;
};
