import { resolve } from 'node:path';
import { z } from 'zod';
import { JsonText, readConfig } from '../platform/config';

const Path = z.string().min(1);

const BenchEnv = z.object({
  /** The paths of the programs that a bench starts, as JSON. `scripts/bench.mjs` sets the variable. */
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

/** The root of the clone, two folders above this file when it is compiled (`dist/bench/`). */
export const ROOT = resolve(__dirname, '..', '..');

/** The paths of the programs that a bench starts. Throws a `ConfigError` if they are missing. */
export const benchParts = (): BenchParts => readConfig(BenchEnv, process.env).BENCH_PARTS;

/** The environment of this process, for the processes that a bench starts. */
export const inherited = (): Readonly<Record<string, string | undefined>> => process.env;
