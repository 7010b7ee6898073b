import type { Context } from '@temporalio/activity';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { MockActivityEnvironment } from '@temporalio/testing';
import { CONTEXT_HEADER } from '../../../domain/headers';
import { createLogger } from '../../../platform/logger';
import { requestContext } from '../../../platform/request-context';
import { activityContext, stepContext } from '../../../worker/interceptors/context';

const info = { activityType: 'signTransfer', attempt: 2, workflowExecution: { workflowId: 'xfr-1', runId: 'r' } };
const headers: Headers = { [CONTEXT_HEADER]: defaultPayloadConverter.toPayload({ requestId: 'req-1' }) };

function stage() {
  const lines: string[] = [];
  const logger = createLogger('worker', 'info', { write: (line) => lines.push(line) });
  const { inbound, outbound } = activityContext(logger)({ info } as Context);
  const run = (given: Headers, work: () => Promise<unknown>) => inbound.execute?.({ args: [], headers: given }, work);
  const attributes = () => outbound.getLogAttributes?.({ activityId: '1' }, (given) => given);
  return { run, attributes, lines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

test('an activity runs in the context of its workflow’s request and is logged in one line', async () => {
  const { run, lines } = stage();
  expect(await run(headers, async () => requestContext())).toEqual({ requestId: 'req-1' });
  expect(lines()).toEqual([
    expect.objectContaining({
      msg: 'activity done',
      requestId: 'req-1',
      activityType: 'signTransfer',
      workflowId: 'xfr-1',
      attempt: 2,
      ms: expect.any(Number),
    }),
  ]);
});

test('the SDK logs an activity that fails, with the request id', async () => {
  const { run, attributes, lines } = stage();
  await expect(run(headers, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(lines()).toEqual([]);
  expect(attributes()).toEqual({ activityId: '1', requestId: 'req-1' });
});

test('an activity without a request runs without a request id', async () => {
  const { run, attributes, lines } = stage();
  expect(await run({}, async () => requestContext())).toEqual({});
  expect(attributes()).toEqual({ activityId: '1' });
  expect(lines()[0]).not.toHaveProperty('requestId');
});

test('a step inside an activity is logged like an activity, and a failed step is left to its own queue', async () => {
  const lines: string[] = [];
  const reported = stepContext(createLogger('worker', 'info', { write: (line) => lines.push(line) }));
  const environment = new MockActivityEnvironment({ ...info, activityType: 'prepareTransfer' });
  const ref = { orgId: 'org', transferId: 'xfr-1' };
  const sign = reported('signTransfer', async ({ transferId }) => `${transferId} signed`);
  const send = reported('broadcastTransfer', () => Promise.reject(new Error('no node')));
  expect(await environment.run(() => sign(ref))).toBe('xfr-1 signed');
  await expect(environment.run(() => send(ref))).rejects.toThrow('no node');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { msg: 'activity done', activityType: 'signTransfer', workflowId: 'xfr-1', attempt: 2, ms: expect.any(Number) },
    {
      msg: 'step failed; its own queue retries it',
      activityType: 'broadcastTransfer',
      workflowId: 'xfr-1',
      err: { message: 'no node' },
    },
  ]);
});
