import type { DeploymentFreeze } from '../domain/deployment-freeze';
import type { Logger } from './logger';

/** A check throws while its dependency is not ready. The names are shown to the operator. */
export type Checks = Readonly<Record<string, () => Promise<unknown>>>;

const CHECK_LIMIT_MS = 3_000;

/** Returns the names of the failed checks. A check that takes too long has failed. */
async function notReady(checks: Checks, logger: Logger): Promise<readonly string[]> {
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

export type Readiness = { readonly status: 200 | 503; readonly body: object };

/**
 * The response to `GET /health/ready`. A 503 names the dependencies that are not ready. A frozen deployment is ready for reads,
 * so the status stays 200, and the body reports the freeze.
 */
export async function readiness(
  checks: Checks,
  standing: () => Promise<DeploymentFreeze | null>,
  logger: Logger,
): Promise<Readiness> {
  const told: { frozen?: DeploymentFreeze } = {};
  const freeze = async () => {
    const frozen = await standing();
    if (frozen) told.frozen = frozen;
  };
  const names = await notReady({ ...checks, freeze }, logger);
  if (names.length === 0) return { status: 200, body: { status: 'ready', ...told } };
  return { status: 503, body: { status: 'not ready', notReady: names, ...told } };
}
