import { resolve } from 'node:path';
import { z } from 'zod';
import { JsonText, readConfig } from '../platform/config';

const Path = z.string().min(1);

const BenchEnv = z.object({
  /** Where the preparation found the programs; `npm run bench` sets it. */
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

/** The root of the clone, seen from the compiled file. */
export const ROOT = resolve(__dirname, '..', '..');

/** The programs that stacks are made of, or a `ConfigError`. */
export const benchParts = (): BenchParts => readConfig(BenchEnv, process.env).BENCH_PARTS;

/** The environment of this process, for the processes that a bench starts. */
export const inherited = (): Readonly<Record<string, string | undefined>> => process.env;
