import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { benchParts, ROOT } from './config';

const GIB = 1_024 ** 3;
const Manifest = z.object({ version: z.string() });

/** One line with the date, commit, size, machine and software of a measurement. */
export function takenOn(size: number): string {
  const { temporal, temporalServer, postgresBin } = benchParts();
  const [first] = cpus();
  const machine = `${cpus().length} × ${first?.model ?? 'unknown processor'}, ${(totalmem() / GIB).toFixed(0)} GiB, ${type()} ${release()}`;
  const sdk = Manifest.parse(JSON.parse(readFileSync(join(ROOT, 'node_modules/@temporalio/worker/package.json'), 'utf8')));
  const versions = [
    `Node ${process.versions.node}`,
    `Temporal SDK ${sdk.version}`,
    `embedded server ${versionIn(temporal, ['--version'], /Server ([\d.]+)/)}`,
    `server on Postgres ${versionIn(temporalServer, ['--version'], /version ([\d.]+)/)}`,
    `Postgres ${versionIn(join(postgresBin, 'postgres'), ['--version'], /([\d.]+)/)}`,
  ];
  return `${new Date().toISOString().slice(0, 10)}, commit ${commit()}, size ${size}: ${machine}; ${versions.join(', ')}.`;
}

function versionIn(program: string, args: readonly string[], pattern: RegExp): string {
  return pattern.exec(execFileSync(program, args, { encoding: 'utf8' }))?.[1] ?? 'unknown';
}

function commit(): string {
  try {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
    const changed = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`;
  } catch {
    return 'unknown';
  }
}
