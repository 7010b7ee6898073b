/** An order above a limit for waiting orders is refused as `Busy`, so that only the caller of that order has to retry. */
const LIMITS = {
  waitingPerOrganisation: 512,
  waiting: 4_096,
  waitingBytes: 32 * 1024 * 1024,
  /** Several orders run at once, because one write to the disk covers all orders that have begun. */
  runningPerOrganisation: 32,
  running: 128,
};
export type FairQueueLimits = typeof LIMITS;

type Waiting = { readonly bytes: number; readonly since: number; begin(): Promise<unknown> };

export interface FairQueue {
  /** Undefined if the queue is full. */
  take<T>(orgId: string, bytes: number, work: () => Promise<T>): Promise<T> | undefined;
  stats(): { readonly waiting: number; readonly running: number; readonly waitedSeconds: number };
}

/**
 * Serves organisations in turn, one order each. Only one order begins between two polls of the sockets. A flood of one
 * organisation's orders therefore delays an order of another organisation by at most one order.
 */
export function createFairQueue(limits: FairQueueLimits = LIMITS): FairQueue {
  /** Organisations in the order of their next turn. */
  const queues = new Map<string, Waiting[]>();
  const runningOf = new Map<string, number>();
  let [waiting, waitingBytes, running, waitedMs] = [0, 0, 0, 0];
  let isPlanned = false;

  const next = (): { orgId: string; order: Waiting } | undefined => {
    if (running >= limits.running) return undefined;
    for (const [orgId, queue] of queues) {
      if ((runningOf.get(orgId) ?? 0) >= limits.runningPerOrganisation) continue;
      const order = queue.shift();
      queues.delete(orgId);
      if (queue.length > 0) queues.set(orgId, queue);
      if (order) return { orgId, order };
    }
    return undefined;
  };
  const count = (orgId: string, change: 1 | -1) => {
    const now = (runningOf.get(orgId) ?? 0) + change;
    running += change;
    if (now === 0) runningOf.delete(orgId);
    else runningOf.set(orgId, now);
  };
  const plan = () => {
    if (isPlanned || waiting === 0) return;
    isPlanned = true;
    setImmediate(step);
  };
  const step = () => {
    isPlanned = false;
    const found = next();
    if (!found) return; // each order that ends schedules the next step
    const { orgId, order } = found;
    waiting -= 1;
    waitingBytes -= order.bytes;
    waitedMs += performance.now() - order.since;
    count(orgId, 1);
    void order.begin().finally(() => {
      count(orgId, -1);
      plan();
    });
    plan();
  };

  return {
    take<T>(orgId: string, bytes: number, work: () => Promise<T>) {
      const queue = queues.get(orgId) ?? [];
      const isFull =
        queue.length >= limits.waitingPerOrganisation || waiting >= limits.waiting || waitingBytes + bytes > limits.waitingBytes;
      if (isFull) return undefined;
      const done = new Promise<T>((resolve, reject) => {
        const begin = () => Promise.resolve().then(work).then(resolve, reject);
        queue.push({ bytes, since: performance.now(), begin });
      });
      queues.set(orgId, queue);
      waiting += 1;
      waitingBytes += bytes;
      plan();
      return done;
    },
    stats: () => ({ waiting, running, waitedSeconds: waitedMs / 1_000 }),
  };
}
