import type { LimitStore } from '../../entities/limits/limit.store';

/**
 * `taken` is false if the window had no room for the request. `fullMs` is the used part of the window, and shrinks by 1 ms each
 * millisecond.
 */
export type RateCount = { readonly taken: boolean; readonly fullMs: number };

/**
 * About once a second this process exchanges its counts with the other processes through the database. So no request waits for
 * the database.
 */
export type RateCounts = {
  /** Charges `costMs` to the window if the window has room. */
  readonly take: (key: string, costMs: number, windowMs: number) => RateCount;
  /** Shares the latest counts with the other processes, then stops. */
  readonly close: () => Promise<void>;
};

/**
 * `emptyAtMs` is the time at which the window is empty, on this process's own clock. `untoldMs` is the use that is not yet
 * shared.
 */
type Client = { emptyAtMs: number; untoldMs: number };

type Options = {
  readonly store: Pick<LimitStore, 'add'>;
  /** Converts a key to the form that may be stored. */
  readonly digest: (key: string) => string;
  readonly onError: (error: unknown) => void;
};

const EXCHANGE_MS = 1_000;
/** The first exchange for a new client comes soon, because the client may have used up its limit at another process. */
const FIRST_EXCHANGE_MS = 25;
const CLIENTS_MAX = 100_000;
const CLIENTS_PER_EXCHANGE = 1_000;

/**
 * Between two exchanges, a client that calls several processes may exceed its limit. The excess is at most the number of
 * requests that all processes accept from this client in one second.
 */
export function createRateCounts({ store, digest, onError }: Options): RateCounts {
  const clients = new Map<string, Client>();
  const untold = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let dueMs = Number.POSITIVE_INFINITY;
  let closed = false;
  let exchanging = Promise.resolve();

  const schedule = (delayMs: number): void => {
    const atMs = performance.now() + delayMs;
    if (closed || dueMs <= atMs) return;
    clearTimeout(timer);
    dueMs = atMs;
    timer = setTimeout(() => {
      dueMs = Number.POSITIVE_INFINITY;
      exchanging = exchanging.then(exchange);
    }, delayMs).unref();
  };

  const exchange = async (): Promise<void> => {
    const told = [...untold].slice(0, CLIENTS_PER_EXCHANGE).flatMap((key) => {
      const client = clients.get(key);
      untold.delete(key);
      if (!client || client.untoldMs === 0) return [];
      const costMs = client.untoldMs;
      client.untoldMs = 0;
      return [{ key, client, costMs }];
    });
    forget(clients);
    if (told.length === 0) return;
    try {
      const full = await store.add(told.map(({ key, costMs }) => ({ key: digest(key), costMs })));
      const nowMs = performance.now();
      for (const [at, { client }] of told.entries()) client.emptyAtMs = nowMs + (full[at] ?? 0) + client.untoldMs;
    } catch (error) {
      for (const { key, client, costMs } of told) {
        client.untoldMs += costMs;
        untold.add(key);
      }
      onError(error);
    }
    if (untold.size > 0) schedule(EXCHANGE_MS);
  };

  return {
    take: (key, costMs, windowMs) => {
      const nowMs = performance.now();
      let client = clients.get(key);
      if (!client) {
        client = { emptyAtMs: nowMs, untoldMs: 0 };
        clients.set(key, client);
        schedule(FIRST_EXCHANGE_MS);
      }
      const fullMs = Math.max(0, client.emptyAtMs - nowMs);
      if (fullMs + costMs > windowMs) return { taken: false, fullMs };
      client.emptyAtMs = nowMs + fullMs + costMs;
      if (client.untoldMs === 0) untold.add(key);
      client.untoldMs += costMs;
      schedule(EXCHANGE_MS);
      return { taken: true, fullMs: fullMs + costMs };
    },
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await exchanging;
      await exchange();
    },
  };
}

/**
 * Removes the clients whose window is empty, and the oldest clients beyond `CLIENTS_MAX`. Otherwise strangers could fill the
 * memory. A client stays until its latest use has been shared with the other processes.
 */
function forget(clients: Map<string, Client>): void {
  const nowMs = performance.now();
  for (const [key, { emptyAtMs, untoldMs }] of clients) {
    if (untoldMs === 0 && (emptyAtMs <= nowMs || clients.size > CLIENTS_MAX)) clients.delete(key);
  }
}
