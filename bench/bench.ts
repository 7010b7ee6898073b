/** One measured number. `aim` is the target for the number. A figure without `aim` is only reported. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 's' | '1/s' | 'MB' | 'bytes' | 'ratio' | 'percent' | 'count';
  readonly aim?: { readonly atMost: number } | { readonly atLeast: number };
  readonly note?: string;
  /** The cell of the figure in a table of the results. A figure without `cell` is a line in the list above the tables. */
  readonly cell?: { readonly table: string; readonly row: string; readonly column: string };
};

/** One subject that is measured separately. The recorded results have the `size` 1. A smaller `size` makes the run shorter. */
export type Bench = {
  readonly name: string;
  readonly run: (options: { readonly size: number; readonly say: (line: string) => void }) => Promise<readonly Figure[]>;
};
