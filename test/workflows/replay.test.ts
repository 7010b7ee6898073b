import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { bundleWorkflows } from '../../worker/bundle';
import { HISTORIES } from '../support/recording';

const recorded = existsSync(HISTORIES)
  ? readdirSync(HISTORIES, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.json'))
      .sort()
      .map((path) => join(HISTORIES, path))
  : [];

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** Replays each history with the workflows as they are now, and returns the faults by file. */
async function replay(code: string, histories: readonly (readonly [file: string, history: unknown])[]): Promise<string[]> {
  const faults: string[] = [];
  const named = histories.map(([workflowId, history]) => ({ workflowId, history }));
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: { code } }, named)) {
    if (error) faults.push(`${workflowId}: ${error.message}`);
  }
  return faults;
}

let code: string;
beforeAll(async () => {
  const logging = { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }) };
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging } });
  code = await bundleWorkflows();
}, 180_000);

test('a history can be read from JSON: only one copy of protobufjs serves all of the SDK', () => {
  expect(recorded.length).toBeGreaterThan(0);
  for (const path of recorded) expect(historyFromJSON(read(path)).events?.length).toBeGreaterThan(0);
});

test('every recorded history replays with the workflows as they are', async () => {
  expect(
    await replay(
      code,
      recorded.map((path) => [relative(HISTORIES, path), read(path)]),
    ),
  ).toEqual([]);
}, 180_000);

test('a history with a changed activity is refused, which proves that a replay can fail', async () => {
  const [path] = recorded.filter((file) => readFileSync(file, 'utf8').includes('"signTransfer"'));
  const other: unknown = JSON.parse(readFileSync(path ?? '', 'utf8').replaceAll('"signTransfer"', '"signOtherTransfer"'));
  expect(await replay(code, [['altered', other]])).toEqual([expect.stringMatching(/Nondeterminism|does not match/)]);
}, 180_000);
