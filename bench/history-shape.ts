import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';

export type HistoryShape = {
  readonly activities: number;
  readonly events: number;
  readonly bytes: number;
  /** The queue of each activity, in the order in which the workflow scheduled the activities. */
  readonly queues: readonly string[];
};

const { History } = temporal.api.history.v1;

/** Reads the history of one ended workflow. */
export async function historyShapeOf(client: Client, workflowId: string): Promise<HistoryShape> {
  const history = await client.workflow.getHandle(workflowId).fetchHistory();
  const events = history.events ?? [];
  const queues = events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
    scheduled ? [scheduled.taskQueue?.name ?? ''] : [],
  );
  return { activities: queues.length, events: events.length, bytes: History.encode(history).finish().length, queues };
}
