import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { AppError } from '../../domain/errors';
import { NETWORK_NAMES } from '../../domain/networks';

/** Resolves when the process may continue. */
export type Reached = (point: string, ids: readonly string[]) => Promise<void>;

const Answer = z.object({ verdict: z.enum(['go', 'fail']) });

/** The returned function throws `EnvelopeMismatch` if the drill's verdict is `fail`. */
export function reachedOver(socketPath: string): Reached {
  return async (point, ids) => {
    const body = JSON.stringify({ point, ids, pid: process.pid });
    const verdict = await answerTo(socketPath, body)
      .then((answer) => Answer.parse(JSON.parse(answer)).verdict)
      // If the drill has ended, the process continues.
      .catch(() => 'go' as const);
    if (verdict === 'fail') throw new AppError('EnvelopeMismatch', 'The drill wants this step to fail');
  };
}

/** `fetch` needs WebAssembly, which the signer does not have. */
function answerTo(socketPath: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    // A connection that is kept open may be closed at the moment of the next report, and the report would then be lost.
    const asked = request({ socketPath, method: 'POST', agent: false }, (response) => text(response).then(resolve, reject));
    asked.on('error', reject);
    asked.end(body);
  });
}

const ID = /^(?:[a-z]{2,4}-[a-z0-9]{5}-[a-z0-9]{5}-[a-z0-9]{14,16}|drill-[\w-]+)$/;
const NETWORKS: ReadonlySet<string> = new Set(NETWORK_NAMES);
/** A batch of the signer's journal is text in bytes. */
const REQUEST_IN_BYTES = /(?<="requestId":")[a-z0-9-]+(?=")/g;
const DEPTH_MAX = 4;

const isReported = (text: string): boolean => ID.test(text) || NETWORKS.has(text);

/**
 * The ids of the service, the names of networks and the names of the drill (`drill-…`) in a value. The process reports nothing else
 * of the value.
 */
export function idsIn(value: unknown, depth = 0): readonly string[] {
  if (typeof value === 'string') return isReported(value) ? [value] : [];
  if (value instanceof Uint8Array)
    return [...new Set(Buffer.from(value).toString('utf8').match(REQUEST_IN_BYTES) ?? [])].filter((id) => ID.test(id));
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return [];
  return Object.values(value).flatMap((part) => idsIn(part, depth + 1));
}
