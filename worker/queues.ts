import { type NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createChainActivities, createMainActivities, createSignerActivities, createVendorActivities } from '../activities';
import { INTEGRATION_KINDS } from '../domain/integrations';
import { chainQueueOf, sharedRoute, vendorQueueOf } from '../domain/routes';
import type { Logger } from '../platform/logger';
import { dataConverterOf } from '../platform/payload-codec';
import { INTERCEPTOR_MODULES } from './bundle';
import type { WorkerConfig } from './config';
import { activityContext } from './interceptors/context';
import { activityErrors } from './interceptors/errors';
import { activityFreeze } from './interceptors/freeze';
import { activityPoints } from './interceptors/points';
import type { Parts } from './parts';

const SHUTDOWN_GRACE = '10 seconds' as const;
const SHUTDOWN_FORCE = '20 seconds' as const;
const FOLLOWER_SLOTS = 4;
/** The limit for each vendor. Temporal counts the calls of all worker processes together. */
const VENDOR_CALLS_PER_SECOND = 50;

export const workerOptions = (config: WorkerConfig, connection: NativeConnection, logger: Logger) =>
  ({
    connection,
    namespace: config.temporal.namespace,
    dataConverter: dataConverterOf(config.DATA_KEK, config.temporal.namespace),
    interceptors: {
      activity: [activityContext(logger), activityErrors],
      // A prebuilt bundle already contains these modules, and the SDK warns if they are listed again.
      ...(config.WORKFLOW_BUNDLE === undefined ? { workflowModules: [...INTERCEPTOR_MODULES] } : {}),
    },
    shutdownGraceTime: SHUTDOWN_GRACE,
    shutdownForceTime: SHUTDOWN_FORCE,
  }) satisfies Partial<WorkerOptions>;

export const queueLimits = ({ WORKFLOWS_CACHED_MAX }: WorkerConfig) =>
  ({
    main: {
      maxCachedWorkflows: WORKFLOWS_CACHED_MAX,
      workflowThreadPoolSize: 1,
      maxConcurrentWorkflowTaskExecutions: 20,
      maxConcurrentActivityTaskExecutions: 50,
    },
    signer: { maxConcurrentActivityTaskExecutions: 16 },
    chain: { maxConcurrentActivityTaskExecutions: 32 + FOLLOWER_SLOTS },
    vendor: {
      maxConcurrentActivityTaskExecutions: 32,
      maxTaskQueueActivitiesPerSecond: VENDOR_CALLS_PER_SECOND,
      activityTaskPollerBehavior: { type: 'simple-maximum', maximum: 2 },
    },
  }) satisfies Record<string, Partial<WorkerOptions>>;

/** One worker per queue, so that a slow signer or node does not hold up the other queues. */
export async function createWorkers(
  config: WorkerConfig,
  parts: Parts,
  connection: NativeConnection,
): Promise<readonly Worker[]> {
  const options = workerOptions(config, connection, parts.logger);
  const { interceptors } = options;
  const shared = {
    ...options,
    interceptors: {
      ...interceptors,
      activity: [...interceptors.activity, activityFreeze(parts.freeze), activityPoints],
    },
  };
  const limits = queueLimits(config);
  const { main, signer } = sharedRoute;
  return Promise.all([
    Worker.create({
      ...shared,
      ...limits.main,
      ...(config.WORKFLOW_BUNDLE === undefined
        ? { workflowsPath: require.resolve('../workflows') }
        : { workflowBundle: { codePath: config.WORKFLOW_BUNDLE } }),
      taskQueue: main,
      activities: createMainActivities(parts),
    }),
    Worker.create({ ...shared, ...limits.signer, taskQueue: signer, activities: createSignerActivities(parts) }),
    ...parts.networks.map((network) =>
      Worker.create({ ...shared, ...limits.chain, taskQueue: chainQueueOf(network), activities: createChainActivities(parts) }),
    ),
    ...INTEGRATION_KINDS.map((kind) =>
      Worker.create({ ...shared, ...limits.vendor, taskQueue: vendorQueueOf(kind), activities: createVendorActivities(parts) }),
    ),
  ]);
}
