import { type Client, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import type { NetworkName } from '../domain/networks';
import { sharedRoute } from '../domain/routes';
import type { Logger } from '../platform/logger';
import { repeat } from './repeat';

const CHECK_MS = 60_000;
const CALL_LIMIT_MS = 10_000;

type Options = {
  readonly client: Client;
  readonly networks: readonly NetworkName[];
  readonly logger: Logger;
  readonly checkMs?: number;
};

/**
 * Keeps one follower per network running, even if several workers call this function. Returns a function that stops the checks.
 * The next check restarts a follower that an operator has ended. Without a follower no transfer of the network would be
 * confirmed.
 */
export async function keepFollowers({ client, networks, logger, checkMs = CHECK_MS }: Options): Promise<() => Promise<void>> {
  const start = (network: NetworkName) =>
    client.withDeadline(Date.now() + CALL_LIMIT_MS, () =>
      client.workflow.start('networkFollower', {
        workflowId: `follower:${network}`,
        taskQueue: sharedRoute.main,
        args: [{ network }],
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        staticSummary: `Follows the blocks of ${network}`,
      }),
    );
  for (const network of networks) await start(network);
  const work = async (): Promise<void> => {
    for (const network of networks)
      await start(network).catch((error: unknown) => logger.warn({ err: error, network }, 'the follower could not be checked'));
  };
  return repeat({ everyMs: checkMs, work });
}
