import { resolve } from 'node:path';
import { z } from 'zod';
import { JsonText, readConfig } from '../platform/config';

const Path = z.string().min(1);

const BenchEnv = z.object({
  /** The paths of the programs that a bench starts, as JSON. `scripts/bench.mjs` sets this variable. */
  BENCH_PARTS: JsonText.pipe(
    z.object({
      postgresBin: Path,
      temporal: Path,
      anvil: Path,
      native: Path.optional(),
      temporalServer: Path,
      temporalSqlTool: Path,
    }),
  ),
});

export type BenchParts = z.output<typeof BenchEnv>['BENCH_PARTS'];

/** The compiled form of this file is in `dist/bench/`, two folders below the root. */
export const ROOT = resolve(__dirname, '..', '..');

/** Throws a `ConfigError` if `BENCH_PARTS` is missing or invalid. */
export const benchParts = (): BenchParts => readConfig(BenchEnv, process.env).BENCH_PARTS;

/** The environment that a bench passes to the processes that it starts. */
export const inherited = (): Readonly<Record<string, string | undefined>> => process.env;
