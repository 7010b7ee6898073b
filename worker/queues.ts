import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createChainActivities, createMainActivities, createSignerActivities } from '../activities';
import { chainQueueOf, sharedRoute } from '../domain/routes';
import { dataConverterOf } from '../platform/payload-codec';
import { INTERCEPTOR_MODULES } from './bundle';
import type { WorkerConfig } from './config';
import { activityContext } from './interceptors/context';
import { activityErrors } from './interceptors/errors';
import type { Parts } from './parts';

const SHUTDOWN_GRACE = '10 seconds' as const;
const SHUTDOWN_FORCE = '20 seconds' as const;
const FOLLOWER_SLOTS = 4;

/** One worker per queue: a slow signer or node then holds up nobody else's slots. */
export async function createWorkers(
  config: WorkerConfig,
  parts: Parts,
  connection: NativeConnection,
): Promise<readonly Worker[]> {
  const { namespace } = config.temporal;
  const shared = {
    connection,
    namespace,
    dataConverter: dataConverterOf(config.DATA_KEK, namespace),
    interceptors: {
      workflowModules: [...INTERCEPTOR_MODULES],
      activity: [activityContext(parts.logger), activityErrors, ...parts.points.activities],
    },
    shutdownGraceTime: SHUTDOWN_GRACE,
    shutdownForceTime: SHUTDOWN_FORCE,
  } satisfies Partial<WorkerOptions>;
  const { main, signer } = sharedRoute;
  return Promise.all([
    Worker.create({
      ...shared,
      ...(config.WORKFLOW_BUNDLE === undefined
        ? { workflowsPath: require.resolve('../workflows') }
        : { workflowBundle: { codePath: config.WORKFLOW_BUNDLE } }),
      taskQueue: main,
      activities: createMainActivities(parts),
      maxCachedWorkflows: config.WORKFLOWS_CACHED_MAX,
      workflowThreadPoolSize: 1,
      maxConcurrentWorkflowTaskExecutions: 20,
      maxConcurrentActivityTaskExecutions: 50,
    }),
    Worker.create({
      ...shared,
      taskQueue: signer,
      activities: createSignerActivities(parts),
      maxConcurrentActivityTaskExecutions: 16,
    }),
    ...parts.networks.map((network) =>
      Worker.create({
        ...shared,
        taskQueue: chainQueueOf(network),
        activities: createChainActivities(parts),
        maxConcurrentActivityTaskExecutions: 32 + FOLLOWER_SLOTS,
      }),
    ),
  ]);
}
