import type { WorkflowHandle } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';

/** The stages that a run has shown in the search, in order. An empty text means that the run has removed the stage. */
export async function stagesShown(workflow: Pick<WorkflowHandle, 'fetchHistory'>): Promise<readonly string[]> {
  const { events } = await workflow.fetchHistory();
  return (events ?? []).flatMap(({ upsertWorkflowSearchAttributesEventAttributes: of }) => {
    const stage = of?.searchAttributes?.indexedFields?.['Stage'];
    return stage ? [String(defaultPayloadConverter.fromPayload<string | null>(stage) ?? '')] : [];
  });
}
