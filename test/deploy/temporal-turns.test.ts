import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { parse } from 'yaml';
import { openLocal } from '../support/temporal';

const ROOT = join(__dirname, '..', '..');
const QUEUE = 'turns';
const BACKLOG = 60;
const POLL_LIMIT_MS = 20_000;
/** The server dispatches the first tasks while it still writes the others, so the other organisation is not served at once. */
const TURN_MAX = 10;

const DEPLOYED = Object.entries(
  parse(readFileSync(join(ROOT, 'deploy', 'temporal', 'dynamic-config.yaml'), 'utf8')) as Record<string, { value: unknown }[]>,
).map(([key, [setting]]) => [key, String(setting?.value)] as const);

test('the local trial runs the server with every setting of the deployment', () => {
  const print = `import('./scripts/supervisor/temporal.mjs').then((m) => console.log(JSON.stringify(m.DYNAMIC_CONFIG)))`;
  const local = JSON.parse(execFileSync(process.execPath, ['-e', print], { cwd: ROOT, encoding: 'utf8' })) as object;
  expect(local).toMatchObject(Object.fromEntries(DEPLOYED));
});

describe('a queue on which one organisation has many workflows waiting', () => {
  let env: TestWorkflowEnvironment;
  beforeAll(async () => {
    env = await openLocal(
      undefined,
      DEPLOYED.flatMap(([key, value]) => ['--dynamic-config-value', `${key}=${value}`]),
    );
  }, 120_000);
  afterAll(() => env?.teardown());

  const start = (workflowId: string, fairnessKey: string) =>
    env.client.workflow.start('never-run', { workflowId, taskQueue: QUEUE, priority: { fairnessKey } });

  test('dispatches the first workflow of another organisation long before the end of the backlog', async () => {
    for (let n = 0; n < BACKLOG; n += 1) await start(`busy-${n}`, 'or-busy');
    await start('quiet-0', 'or-quiet');
    const order: string[] = [];
    while (!order.includes('quiet-0')) {
      const { workflowExecution } = await env.client.withDeadline(Date.now() + POLL_LIMIT_MS, () =>
        env.client.connection.workflowService.pollWorkflowTaskQueue({ namespace: 'default', taskQueue: { name: QUEUE } }),
      );
      order.push(workflowExecution?.workflowId ?? '');
      expect(order.length).toBeLessThanOrEqual(BACKLOG + 1);
    }
    expect(order.length).toBeLessThanOrEqual(TURN_MAX);
  }, 60_000);
});
