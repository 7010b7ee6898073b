import { NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { Pool } from 'pg';
import { enabledNetworks } from '../../chains/networks';
import { chainQueueOf, sharedRoute } from '../../domain/routes';
import { createLogger } from '../../platform/logger';
import { bundleWorkflows } from '../../worker/bundle';
import { workerConfig } from '../../worker/config';
import { queueLimits, workerOptions } from '../../worker/queues';
import { sdkLogger } from '../../worker/sdk-logger';
import { createFloorActivities } from './activities';
import { FLOORS_READY, floorQueueOf } from './queues';

/**
 * Runs the floors' worker with the variables, the converter and the interceptors of the service's worker. The queues have
 * different names. The floors' worker does not run a relay, a follower or webhooks.
 */
async function main(): Promise<void> {
  const config = workerConfig();
  const logger = createLogger('floors', config.LOG_LEVEL);
  Runtime.install({ logger: sdkLogger(logger), shutdownSignals: [] });
  const connection = await NativeConnection.connect(config.temporal.connectionOptions);
  const pool = new Pool({ connectionString: config.DATABASE_URL, max: config.DATABASE_POOL_MAX });
  const shared = { ...workerOptions(config, connection, logger), activities: createFloorActivities(pool) };
  const limits = queueLimits(config);
  const code = await bundleWorkflows(require.resolve('./workflows'));
  const workers = await Promise.all([
    Worker.create({ ...shared, ...limits.main, workflowBundle: { code }, taskQueue: floorQueueOf(sharedRoute.main) }),
    Worker.create({ ...shared, ...limits.signer, taskQueue: floorQueueOf(sharedRoute.signer) }),
    ...enabledNetworks(config.NETWORK_RPC_URLS).map(({ name }) =>
      Worker.create({ ...shared, ...limits.chain, taskQueue: floorQueueOf(chainQueueOf(name)) }),
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
