import { randomUUID } from 'node:crypto';
import { WorkflowIdConflictPolicy, WorkflowIdReusePolicy } from '@temporalio/client';
import { Client as Postgres } from 'pg';
import { z } from 'zod';
import { sharedRoute } from '../../domain/routes';
import { Key32, readConfig } from '../../platform/config';
import { searchAttributesOf } from '../../platform/search-attributes';
import { createTemporalClient } from '../../platform/temporal-client';
import { TemporalEnv } from '../../platform/temporal-config';
import type { Stack } from '../stack';
import { FLOOR_TABLE, type FloorActivities } from './activities';
import { FLOORS_READY, floorQueueOf } from './queues';
import type { FloorInput } from './workflows';

/** A client for the stack's Temporal, configured with the variables of the stack's worker. */
export function temporalClientOf(stack: Stack) {
  const config = readConfig(z.object({ DATA_KEK: Key32, ...TemporalEnv }), stack.env.worker);
  const connectionOptions = { address: config.TEMPORAL_ADDRESS };
  return createTemporalClient({ connectionOptions, namespace: config.TEMPORAL_NAMESPACE }, config.DATA_KEK);
}

export type Floors = {
  readonly pid: number;
  /**
   * Runs one floor workflow to its end, with the options of the service's own workflows and one activity on each queue. Returns
   * the workflow's id.
   */
  readonly run: (activity: keyof FloorActivities, queues: readonly string[], walletId: string) => Promise<string>;
};

/** Starts the floors' worker, and resolves when this worker polls. */
export async function startFloors(stack: Stack, client: ReturnType<typeof temporalClientOf>, network: string): Promise<Floors> {
  const postgres = new Postgres({ connectionString: stack.superuserUrl });
  await postgres.connect();
  await postgres.query(FLOOR_TABLE);
  await postgres.end();
  const words: string[] = [];
  const pid = await new Promise<number>((resolve, reject) => {
    const child = stack.run('bench/floors/worker.js', stack.env.worker, (line) => {
      words.push(line);
      if (line === FLOORS_READY) resolve(child.pid);
    });
    void child.exited.then((how) => reject(new Error(`The floors' worker ended (${how}):\n${words.join('\n')}`)));
  });
  const { orgId } = stack;
  return {
    pid,
    run: async (activity, queues, walletId) => {
      const id = `floor-${randomUUID()}`;
      const routing = { activity, queues: queues.map(floorQueueOf).join(','), walletId, network };
      const input: FloorInput = { orgId, id, routing };
      await client.workflow.execute('floor', {
        workflowId: id,
        taskQueue: floorQueueOf(sharedRoute.main),
        args: [input],
        workflowIdReusePolicy: WorkflowIdReusePolicy.REJECT_DUPLICATE,
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        typedSearchAttributes: searchAttributesOf({ orgId, walletId, network }),
        staticSummary: `Floor on ${network} beside wallet ${walletId}`,
        priority: { fairnessKey: orgId },
      });
      return id;
    },
  };
}
