import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';

/** Where recorded histories lie: a folder per workflow, a file per case. */
export const HISTORIES = join(__dirname, '..', 'workflows', 'histories');

/**
 * With RECORD_HISTORIES set, writes a history and those of its closed children down without what belongs to the machine it ran on: process names
 * and file paths. Without it nothing happens: recordings change on purpose or not at all.
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
