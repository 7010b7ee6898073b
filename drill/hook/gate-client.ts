import { z } from 'zod';
import { AppError } from '../../domain/errors';

/** Resolves when the process may go on. */
export type Reached = (point: string, ids: readonly string[]) => Promise<void>;

const Answer = z.object({ verdict: z.enum(['go', 'fail']) });

/** The returned function throws `EnvelopeMismatch` if the drill's verdict is `fail`. */
export function reachedOver(gateUrl: string): Reached {
  return async (point, ids) => {
    const body = JSON.stringify({ point, ids, pid: process.pid });
    const verdict = await fetch(gateUrl, { method: 'POST', body })
      .then(async (response) => Answer.parse(await response.json()).verdict)
      // If the drill has ended, the process goes on.
      .catch(() => 'go' as const);
    if (verdict === 'fail') throw new AppError('EnvelopeMismatch', 'The drill wants this step to fail');
  };
}

const ID = /^(?:[a-z]{2,4}-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}|drill-[\w-]+)$/;
const DEPTH_MAX = 4;

/** The ids of the service and the names of the drill (`drill-…`) in a value. The process reports nothing else of the value. */
export function idsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return ID.test(value) ? [value] : [];
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  return Object.values(value).flatMap((part) => idsIn(part, depth + 1));
}
