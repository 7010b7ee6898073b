import { z } from 'zod';
import { type LoopbackReceiver, receiveOnLoopback } from '../local/loopback-receiver';

const Envelope = z.object({
  kind: z.string(),
  data: z.object({ transferRequest: z.object({ id: z.string() }).optional() }),
});

export type Receiver = LoopbackReceiver & {
  /** The number of deliveries so far. */
  readonly count: () => number;
  /** Resolves at once if the confirmation arrived before the call. */
  readonly confirmed: (transferId: string) => Promise<void>;
};

/** Starts a receiver that replies at once and records which transfers are confirmed. */
export async function startReceiver(): Promise<Receiver> {
  let count = 0;
  const ended = new Set<string>();
  const waiting = new Map<string, () => void>();
  const receiver = await receiveOnLoopback(({ raw }) => {
    const { kind, data } = Envelope.parse(JSON.parse(raw.toString('utf8')));
    count += 1;
    const id = data.transferRequest?.id;
    if (kind !== 'wallet.transfer.confirmed' || id === undefined) return 200;
    ended.add(id);
    waiting.get(id)?.();
    waiting.delete(id);
    return 200;
  });
  return {
    ...receiver,
    count: () => count,
    confirmed: (transferId) =>
      ended.has(transferId) ? Promise.resolve() : new Promise((resolve) => waiting.set(transferId, resolve)),
  };
}
