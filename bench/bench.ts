/** `aim` is the target for `value`. */
export type Figure = {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 's' | '1/s' | 'MB' | 'bytes' | 'ratio' | 'percent' | 'count';
  readonly aim?: { readonly atMost: number } | { readonly atLeast: number };
  readonly note?: string;
  /** A figure without `cell` is a row in the first table. */
  readonly cell?: { readonly table: string; readonly row: string; readonly column: string };
};

/** With `size` 1 a run has its full size. A smaller `size` makes the run shorter. */
export type Bench = {
  readonly name: string;
  readonly run: (options: { readonly size: number; readonly say: (line: string) => void }) => Promise<readonly Figure[]>;
};
