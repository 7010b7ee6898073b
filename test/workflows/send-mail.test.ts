import { randomUUID } from 'node:crypto';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { MailActivities, MailOutcome } from '../../activities/mails/mails';
import { routeOf } from '../../domain/routes';
import { SEND_MAIL } from '../../workflows/send-mail.messages';
import { recordHistory } from '../support/recording';
import { openTimeSkipping } from '../support/temporal';
import { WORKFLOW_BUNDLE } from '../support/workflow-bundle';

let environment: TestWorkflowEnvironment;
beforeAll(async () => {
  environment = await openTimeSkipping();
}, 120_000);
afterAll(() => environment?.teardown());

const input = { orgId: 'or-1', id: 'ml-1' };

/** Runs the workflow to its end; `title` names the recording. */
async function run(title: string, sendMail: MailActivities['sendMail']): Promise<MailOutcome> {
  const taskQueue = routeOf(input.orgId).main;
  const worker = await Worker.create({
    connection: environment.nativeConnection,
    taskQueue,
    workflowBundle: WORKFLOW_BUNDLE,
    activities: { sendMail },
  });
  return worker.runUntil(async () => {
    const options = { workflowId: `${input.id}-${randomUUID()}`, taskQueue, args: [{ ...input, routing: {} }] };
    const handle = await environment.client.workflow.start(SEND_MAIL, options);
    try {
      return (await handle.result()) as MailOutcome;
    } finally {
      await recordHistory('send-mail', title, handle);
    }
  });
}

test('the activity gets only the ids of the mail, and its result is the result of the workflow', async () => {
  const asked: unknown[] = [];
  const end = await run('sent', async (order) => {
    asked.push(order);
    return 'Sent';
  });
  expect([end, asked]).toEqual(['Sent', [{ orgId: 'or-1', mailId: 'ml-1' }]]);
});

test('a mail server that is unavailable for hours delays the mail and does not lose it', async () => {
  let attempts = 0;
  const end = await run('server-away', async () => {
    attempts += 1;
    if (attempts < 100) throw new Error('the mail server cannot be reached');
    return 'Expired';
  });
  expect([end, attempts]).toEqual(['Expired', 100]);
});

test('the workflow ends if the server refuses the mail for good, or if the mail no longer exists', async () => {
  expect(await run('refused', async () => 'Refused')).toBe('Refused');
  expect(await run('gone', async () => 'Gone')).toBe('Gone');
});
