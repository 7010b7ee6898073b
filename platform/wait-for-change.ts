import { Client } from 'pg';
import type { Logger } from './logger';

/** The Postgres channel on which the relay announces changed records, outside every business transaction (P5). */
export const CHANGES_CHANNEL = 'strongroom_changes';

export type Changes = {
  /**
   * Reads the record until `done` returns true or `limitMs` has passed, and returns the last value. A notification only makes
   * the next read earlier, so a lost notification costs at most `rereadMs`. Pass `UNANNOUNCED_REREAD_MS` for a change that
   * no event announces.
   */
  readonly waitFor: <T>(
    recordId: string,
    read: () => Promise<T>,
    done: (value: T) => boolean,
    limitMs: number,
    rereadMs?: number,
  ) => Promise<T>;
  readonly close: () => Promise<void>;
};

const REREAD_MS = 1_000;
/** The `rereadMs` for a change that no event announces. */
export const UNANNOUNCED_REREAD_MS = 100;
const RECONNECT_MS = 1_000;

/** Reconnects whenever the LISTEN connection is lost. */
export function listenForChanges(databaseUrl: string, logger: Logger): Changes {
  const waiters = new Map<string, Set<() => void>>();
  let client: Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const next = new Client({ connectionString: databaseUrl, application_name: 'strongroom-listen' });
    const lost = (error?: Error) => {
      if (client !== next || closed) return;
      client = undefined;
      logger.warn({ err: error }, 'the listening connection was lost');
      retry = setTimeout(() => void connect(), RECONNECT_MS);
    };
    client = next;
    next.on('error', lost);
    next.on('end', () => lost());
    next.on('notification', ({ payload }) => {
      for (const wake of waiters.get(payload ?? '') ?? []) wake();
    });
    try {
      await next.connect();
      await next.query(`LISTEN ${CHANGES_CHANNEL}`);
    } catch (error) {
      lost(error instanceof Error ? error : undefined);
    }
  };
  void connect();

  const nextChange = (recordId: string, waitMs: number): { readonly woken: Promise<void>; readonly cancel: () => void } => {
    let cancel = () => {};
    const woken = new Promise<void>((resolve) => {
      const set = waiters.get(recordId) ?? new Set();
      waiters.set(recordId, set);
      const timer = setTimeout(() => finish(), waitMs);
      const finish = () => {
        clearTimeout(timer);
        set.delete(finish);
        if (set.size === 0) waiters.delete(recordId);
        resolve();
      };
      set.add(finish);
      cancel = finish;
    });
    return { woken, cancel };
  };

  return {
    waitFor: async (recordId, read, done, limitMs, rereadMs = REREAD_MS) => {
      const deadline = performance.now() + limitMs;
      for (;;) {
        // The waiter is registered before the read, so that a change between the read and the wait is not missed.
        const change = nextChange(recordId, Math.max(0, Math.min(rereadMs, deadline - performance.now())));
        const value = await read();
        if (done(value) || performance.now() >= deadline) {
          change.cancel();
          return value;
        }
        await change.woken;
      }
    },
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
