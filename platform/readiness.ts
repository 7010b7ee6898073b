import type { Logger } from './logger';

/** A part that a role needs, by the name an operator knows it by; the check throws while it is not ready. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>;

const CHECK_LIMIT_MS = 3_000;

/** Runs every check at once; answers the names of what is not ready. A check that takes too long has failed. */
export async function notReady(checks: Checks, logger: Logger): Promise<readonly string[]> {
  const names = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => {
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_LIMIT_MS} ms`)), CHECK_LIMIT_MS);
      });
      try {
        await Promise.race([check(), tooLate]);
        return [];
      } catch (error) {
        logger.warn({ err: error, dependency: name }, 'not ready');
        return [name];
      } finally {
        clearTimeout(timer);
      }
    }),
  );
  return names.flat();
}

/** The body of a readiness answer; its status is 200 when the list is empty and 503 otherwise. */
export const readinessBody = (names: readonly string[]) =>
  names.length === 0 ? { status: 'ready' } : { status: 'not ready', notReady: names };
