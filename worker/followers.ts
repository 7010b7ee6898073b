import { type Client, WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import type { NetworkName } from '../domain/networks';
import { sharedRoute } from '../domain/routes';
import type { Logger } from '../platform/logger';
import { repeat } from './repeat';

const CHECK_MS = 60_000;
const CALL_LIMIT_MS = 10_000;

/** The workflows that run for a network as long as the service runs. Their ids are durable. */
const OF_NETWORKS = {
  networkFollower: { idPrefix: 'follower', summary: 'Follows the blocks of' },
  networkScanner: { idPrefix: 'scanner', summary: 'Reads every block of' },
} as const;

type Options = {
  readonly client: Client;
  readonly networks: readonly NetworkName[];
  /** The networks whose blocks are read for incoming payments and history. */
  readonly scanned: readonly NetworkName[];
  readonly logger: Logger;
  readonly checkMs?: number;
};

/**
 * Keeps one follower per network and one scanner per scanned network running, even if several workers call this function.
 * Returns a function that stops the checks. The next check restarts a workflow that an operator has ended. Without a follower
 * no transfer of the network would be confirmed, and without a scanner no incoming payment would be seen.
 */
export async function keepFollowers({
  client,
  networks,
  scanned,
  logger,
  checkMs = CHECK_MS,
}: Options): Promise<() => Promise<void>> {
  const wanted = [
    ...networks.map((network) => ({ workflow: 'networkFollower' as const, network })),
    ...scanned.map((network) => ({ workflow: 'networkScanner' as const, network })),
  ];
  const start = ({ workflow, network }: (typeof wanted)[number]) =>
    client.withDeadline(Date.now() + CALL_LIMIT_MS, () =>
      client.workflow.start(workflow, {
        workflowId: `${OF_NETWORKS[workflow].idPrefix}:${network}`,
        taskQueue: sharedRoute.main,
        args: [{ network }],
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
        staticSummary: `${OF_NETWORKS[workflow].summary} ${network}`,
      }),
    );
  for (const one of wanted) await start(one);
  const work = async (): Promise<void> => {
    for (const one of wanted)
      await start(one).catch((error: unknown) =>
        logger.warn({ err: error, ...one }, 'a workflow of a network could not be checked'),
      );
  };
  return repeat({ everyMs: checkMs, work });
}
