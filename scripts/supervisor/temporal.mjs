import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../prepare/run.mjs';
import { startChild } from './child.mjs';
import { untilReady } from './readiness.mjs';

const SEARCH_ATTRIBUTES = [
  'OrgId=Keyword',
  'WalletId=Keyword',
  'Network=Keyword',
  'Stage=Keyword',
  'ApprovalGroup=KeywordList',
  'KeyStoreId=Keyword',
  'FleetKind=Keyword',
  'Deadline=Datetime',
];
/**
 * With a single server, one partition per queue is enough. The server may hand an activity at once to the worker that has
 * requested it.
 */
export const DYNAMIC_CONFIG = {
  'frontend.enableServerVersionCheck': 'false',
  'frontend.enableUpdateWorkflowExecution': 'true',
  'frontend.enableUpdateWorkflowExecutionAsyncAccepted': 'true',
  'system.enableActivityEagerExecution': 'true',
  'matching.numTaskqueueReadPartitions': '1',
  'matching.numTaskqueueWritePartitions': '1',
  // Without enableFairness, the fairness keys of the tasks have no effect. enableMigration includes tasks from an earlier
  // start.
  'matching.enableFairness': 'true',
  'matching.enableMigration': 'true',
};
const ASK_WITHIN_MS = 60_000;
/**
 * How long Temporal keeps closed workflows. The service's rows record the effects of older workflows. The dev server has no
 * flag for this time.
 */
const RETENTION = '72h';

/** Resolves when the server serves the namespace `default`. */
export async function startTemporal({ settings, env, cli, processGroup, output }) {
  const { ports, dataFolder } = settings;
  const folder = join(dataFolder, 'temporal');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { stdout: help } = await run(cli, ['server', 'start-dev', '--help'], { env });
  const args = [
    ...['server', 'start-dev', '--namespace', 'default', '--ip', '127.0.0.1', '--port', String(ports.temporal)],
    ...['--ui-port', String(ports.temporalUi)],
    ...(ports.codec === 0 ? [] : ['--ui-codec-endpoint', `http://127.0.0.1:${ports.codec}`]),
    ...(help.includes('--ui-disable-news-fetch') ? ['--ui-disable-news-fetch'] : []),
    ...['--db-filename', join(folder, 'temporal.db'), '--log-level', 'error', '--log-format', 'text'],
    ...SEARCH_ATTRIBUTES.flatMap((attribute) => ['--search-attribute', attribute]),
    ...Object.entries(DYNAMIC_CONFIG).flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
  ];
  processGroup.add(startChild({ role: 'temporal', command: cli, args, env, cwd: folder, onLine: output.lineOf('temporal') }));
  const ask = ['operator', 'namespace', 'describe', '--namespace', 'default', '--address', `127.0.0.1:${ports.temporal}`];
  await untilReady('Temporal', () =>
    run(cli, ask, { env, limitMs: ASK_WITHIN_MS }).then(
      () => undefined,
      (error) => error.message,
    ),
  );
  const { stdout } = await run(cli, ask, { env, limitMs: ASK_WITHIN_MS });
  if (!stdout.includes(RETENTION)) {
    const set = ['operator', 'namespace', 'update', '--namespace', 'default', '--retention', RETENTION];
    await run(cli, [...set, '--address', `127.0.0.1:${ports.temporal}`], { env, limitMs: ASK_WITHIN_MS });
  }
}
