import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench, Figure } from './bench';
import { ROOT } from './config';
import { percentile } from './percentiles';
import { prepareOrders } from './signer';
import { FLAGS, startSigner } from './signer-process';

const ORDERS = 400;
const P50_MAX_MS = 6;
const TABLE = 'orders over the socket, with and without a replica on the same disk';
/**
 * A public key without a known private key: the signer needs the operator's public key, but the operator does not sign in this
 * bench.
 */
const OPERATOR_KEY_HEX = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a';

/** A running replica, and the variables with which a signer uses the replica. */
async function startReplica() {
  const folder = mkdtempSync(join(tmpdir(), 'strongroom-bench-replica-'));
  const path = (name: string) => join(folder, name);
  writeFileSync(path('auth'), '03'.repeat(32), { mode: 0o400 });
  const env = { SIGNER_SOCKET: path('run/socket'), SIGNER_STATE_DIR: path('state'), SIGNER_REPLICA_AUTH_FILE: path('auth') };
  const program = join(ROOT, 'dist', 'signer', 'replica', 'main.js');
  const run = (...words: readonly string[]) =>
    spawn(process.execPath, [...FLAGS, program, ...words], {
      env: { ...env, LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  await once(run('--new'), 'exit');
  const child = run();
  const ended = once(child, 'exit');
  return {
    // The signer waits for the replica's start.
    env: { SIGNER_REPLICA: `unix:${path('run/socket')}`, SIGNER_REPLICA_AUTH_FILE: path('auth') },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Measures the cost of a second copy of each entry, which is on the replica's medium before the signer replies. */
export const signerReplica: Bench = {
  name: 'signer-replica',
  run: async ({ size, say }) => {
    const count = Math.max(40, Math.round(ORDERS * size));
    const replica = await startReplica();
    const alone = await startSigner('native');
    const replicated = await startSigner('native', {
      operatorKeyHex: OPERATOR_KEY_HEX,
      env: replica.env,
      startTimeoutMs: 30_000,
    });
    try {
      const figures: Figure[] = [];
      for (const [row, signer] of [
        ['without', alone],
        ['with', replicated],
      ] as const) {
        const signing = await prepareOrders(signer, 'ECDSA');
        await signing.alone(20);
        const single = await signing.alone(count);
        const together = await signing.together(count);
        const p50 = percentile(single, 0.5);
        say(`${row} a replica: p50 ${p50.toFixed(2)} ms alone, ${together.perSecond.toFixed(0)}/s with several at once`);
        const cell = (column: string) => ({ table: TABLE, row, column });
        if (signer === replicated)
          figures.push({
            name: 'ECDSA over the socket with a replica, one client, p50',
            value: p50,
            unit: 'ms',
            aim: { atMost: P50_MAX_MS },
            note: 'both copies of the log are on the medium before the answer',
          });
        figures.push(
          { name: '', value: p50, unit: 'ms', cell: cell('p50, one client') },
          { name: '', value: percentile(single, 0.99), unit: 'ms', cell: cell('p99, one client') },
          { name: '', value: percentile(together.latenciesMs, 0.5), unit: 'ms', cell: cell('p50, several at once') },
          { name: '', value: together.perSecond, unit: '1/s', cell: cell('per second') },
        );
      }
      return figures;
    } finally {
      await Promise.all([alone.stop(), replicated.stop()]);
      await replica.stop();
    }
  },
};
