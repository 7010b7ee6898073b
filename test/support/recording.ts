import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils';

/** Where recorded histories lie: a folder per workflow, a file per case. */
export const HISTORIES = join(__dirname, '..', 'workflows', 'histories');

/**
 * With RECORD_HISTORIES set, writes a history down without what belongs to the machine it ran on: process names and file
 * paths. Without it nothing happens: recordings change on purpose or not at all.
 */
export async function recordHistory(workflow: string, title: string, handle: WorkflowHandle): Promise<void> {
  if (!process.env['RECORD_HISTORIES']) return;
  const folder = join(HISTORIES, workflow);
  mkdirSync(folder, { recursive: true });
  const history: unknown = JSON.parse(historyToJSON(await handle.fetchHistory()));
  const neutral: Readonly<Record<string, string>> = { identity: 'worker', stackTrace: '' };
  const plain = JSON.stringify(history, (key, value: unknown) => neutral[key] ?? value, 1);
  writeFileSync(join(folder, `${title}.json`), `${plain}\n`);
}
