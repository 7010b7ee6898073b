import { z } from 'zod';
import type { Bench, Figure } from './bench';
import { closedLoop } from './closed-loop';
import { cpuMsOf } from './cpu';
import { percentile } from './percentiles';
import { startStack } from './stack';

const REQUESTS_PER_PLACE = 100;
const WARM_UP = 60;
const AT_ONCE = [1, 8] as const;

const Created = z.object({ id: z.string() });
const Answer = z.object({ id: z.string(), status: z.string() });

/**
 * Measures signature requests that no policy holds, from the announced user action to a response with the state `Signed`.
 * Without a workflow, the service could save at most the CPU time of worker and Temporal.
 */
export const signatures: Bench = {
  name: 'signatures',
  run: async ({ size, say }) => {
    const stack = await startStack({ kind: 'embedded', say });
    try {
      const admin = stack.client('admin');
      const { id } = await admin.change('POST', '/keys', { scheme: 'ECDSA', curve: 'secp256k1' }, Created);
      const request = async () => {
        const body = { kind: 'Message', message: '0x68656c6c6f' };
        const { status, id: signatureId } = await admin.change('POST', `/keys/${id}/signatures`, body, Answer);
        if (status !== 'Signed') throw new Error(`The request ${signatureId} is ${status}`);
      };
      await closedLoop(WARM_UP, AT_ONCE[1], request);
      const figures: Figure[] = [];
      for (const atOnce of AT_ONCE) {
        const count = Math.max(20, Math.round(REQUESTS_PER_PLACE * atOnce * size));
        const before = cpuOf(stack.pids());
        const { seconds, latenciesMs } = await closedLoop(count, atOnce, request);
        const cpu = [...cpuOf(stack.pids())].map(([role, ms]) => [role, (ms - (before.get(role) ?? 0)) / count] as const);
        say(`${atOnce} at once: ${(count / seconds).toFixed(1)}/s`);
        figures.push(...figuresOf(atOnce, count / seconds, latenciesMs, cpu));
      }
      return figures;
    } finally {
      await stack.stop();
    }
  },
};

const cpuOf = (pids: ReadonlyMap<string, number>) => new Map([...pids].map(([role, pid]) => [role, cpuMsOf(pid)] as const));

function figuresOf(
  atOnce: number,
  perSecond: number,
  latenciesMs: readonly number[],
  cpu: readonly (readonly [string, number])[],
): readonly Figure[] {
  const row = `${atOnce} at once`;
  const cell = (column: string, value: number, unit: Figure['unit']): Figure => ({
    name: '',
    value,
    unit,
    cell: { table: 'signature requests, CPU ms each by process', row, column },
  });
  const whole = cpu.reduce((sum, [, ms]) => sum + ms, 0);
  const durable = cpu.reduce((sum, [role, ms]) => sum + (role === 'worker' || role === 'temporal' ? ms : 0), 0);
  return [
    { name: `signature requests, ${row}`, value: perSecond, unit: '1/s' },
    { name: `worker and Temporal, of all CPU, ${row}`, value: (100 * durable) / whole, unit: 'percent' },
    cell('p50, ms', percentile(latenciesMs, 0.5), 'ms'),
    cell('p99, ms', percentile(latenciesMs, 0.99), 'ms'),
    ...cpu.map(([role, ms]) => cell(role, ms, 'ms')),
    cell('all', whole, 'ms'),
  ];
}
