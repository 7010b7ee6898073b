import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { Pool } from 'pg';
import { enabledNetworks } from '../../chains/networks';
import { chainQueueOf, sharedRoute } from '../../domain/routes';
import { createLogger } from '../../platform/logger';
import { dataConverterOf } from '../../platform/payload-codec';
import { bundleWorkflows } from '../../worker/bundle';
import { workerConfig } from '../../worker/config';
import { activityErrors } from '../../worker/interceptors/errors';
import { sdkLogger } from '../../worker/sdk-logger';
import { createFloorActivities } from './activities';
import { FLOORS_READY, floorQueueOf } from './queues';

/**
 * The floors' worker: started with the variables of the service's worker, it has the same queues under other names, the same
 * converter and interceptors, and no relay, follower or webhooks.
 */
async function main(): Promise<void> {
  const config = workerConfig();
  Runtime.install({ logger: sdkLogger(createLogger('floors', config.LOG_LEVEL)), shutdownSignals: [] });
  const { connectionOptions, namespace } = config.temporal;
  const connection = await NativeConnection.connect(connectionOptions);
  const pool = new Pool({ connectionString: config.DATABASE_URL, max: config.DATABASE_POOL_MAX });
  const activities = createFloorActivities(pool);
  const shared = {
    connection,
    namespace,
    dataConverter: dataConverterOf(config.DATA_KEK, namespace),
    interceptors: { activity: [activityErrors] },
    activities,
  } satisfies Partial<WorkerOptions>;
  const code = await bundleWorkflows(require.resolve('./workflows'));
  const workers = await Promise.all([
    Worker.create({
      ...shared,
      workflowBundle: { code },
      taskQueue: floorQueueOf(sharedRoute.main),
      maxCachedWorkflows: config.WORKFLOWS_CACHED_MAX,
      workflowThreadPoolSize: 1,
      maxConcurrentWorkflowTaskExecutions: 20,
      maxConcurrentActivityTaskExecutions: 50,
    }),
    Worker.create({ ...shared, taskQueue: floorQueueOf(sharedRoute.signer), maxConcurrentActivityTaskExecutions: 16 }),
    ...enabledNetworks(config.NETWORK_RPC_URLS).map(({ name }) =>
      Worker.create({ ...shared, taskQueue: floorQueueOf(chainQueueOf(name)), maxConcurrentActivityTaskExecutions: 36 }),
    ),
  ]);
  const running = Promise.all(workers.map((worker) => worker.run()));
  process.once('SIGTERM', () => {
    for (const worker of workers) worker.shutdown();
  });
  process.stdout.write(`${FLOORS_READY}\n`);
  await running;
  await Promise.all([pool.end(), connection.close()]);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
