import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';

/** The folder of the recorded histories, with a folder per workflow and a file per case. */
export const HISTORIES = join(__dirname, '..', 'workflows', 'histories');

/**
 * If RECORD_HISTORIES is set, writes a history and the histories of its closed children, without the machine's process names
 * and file paths. Otherwise the function does nothing: a recording must change only on purpose.
 */
export async function recordHistory(workflow: string, title: string, handle: WorkflowHandle): Promise<void> {
  if (!process.env['RECORD_HISTORIES']) return;
  const folder = join(HISTORIES, workflow);
  mkdirSync(folder, { recursive: true });
  const recorded = await handle.fetchHistory();
  const history: unknown = JSON.parse(historyToJSON(recorded));
  const neutral: Readonly<Record<string, string>> = { identity: 'worker', stackTrace: '' };
  const plain = JSON.stringify(history, (key, value: unknown) => neutral[key] ?? value, 1);
  writeFileSync(join(folder, `${title}.json`), `${plain}\n`);
  const children = (recorded.events ?? []).flatMap((event) => event.childWorkflowExecutionStartedEventAttributes ?? []);
  for (const [index, { workflowType, workflowExecution }] of children.entries()) {
    const child = handle.client.getHandle(workflowExecution?.workflowId ?? '', workflowExecution?.runId ?? '');
    if ((await child.describe()).status.name === 'RUNNING') continue;
    await recordHistory(workflowType?.name ?? '', `${workflow}-${title}${index === 0 ? '' : `-${index + 1}`}`, child);
  }
}
