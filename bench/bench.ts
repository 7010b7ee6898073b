/** One measured number. `aim` is the target for this number. For a figure without `aim` there is no target. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 's' | '1/s' | 'MB' | 'bytes' | 'ratio' | 'percent' | 'count';
  readonly aim?: { readonly atMost: number } | { readonly atLeast: number };
  readonly note?: string;
  /** The place of the figure in a table of the results. A figure without `cell` is a line in the list above the tables. */
  readonly cell?: { readonly table: string; readonly row: string; readonly column: string };
};

/**
 * One subject that a separate run measures. The recorded results come from runs with `size` 1. A smaller `size` makes the run
 * shorter.
 */
export type Bench = {
  readonly name: string;
  readonly run: (options: { readonly size: number; readonly say: (line: string) => void }) => Promise<readonly Figure[]>;
};
