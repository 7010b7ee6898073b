import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../local/free-port';
import { LOG_FIELDS } from '../../platform/log-fields';
import { SPAN_ATTRIBUTES } from '../../platform/span-attributes';
import { createService, type Service } from '../support/service';
import { ended, fundedWallet, ok, RECIPIENT, type TransferBody } from '../support/story';
import { type CollectedSpan, startTraceCollector, type TraceCollector } from '../support/trace-collector';
import { waitUntil } from '../support/wait-until';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink';

jest.setTimeout(240_000);

const NODE_SECRET = 'canary-of-the-node-5d1c';
const HEADER_SECRET = 'canary-of-a-header-90ab';
const AMOUNT = '123456789123';
/** The fields that pino itself writes into every line. */
const OWN_FIELDS = ['level', 'time', 'role', 'msg'];

type Line = Readonly<Record<string, unknown>> & { readonly role?: string; readonly msg?: string; readonly requestId?: string };

let service: Service;
let sink: WebhookSink;
let collector: TraceCollector;
let hookSecret: string;
beforeAll(async () => {
  sink = await startWebhookSink();
  collector = await startTraceCollector();
  const chainPort = String(await freePort());
  service = await createService({
    CHAIN_PORT: chainPort,
    NETWORK_RPC_URLS: JSON.stringify({ EthereumSepolia: [`http://127.0.0.1:${chainPort}/${NODE_SECRET}`] }),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '200',
    LOG_LEVEL: 'debug',
  });
  await service.start();
  const hook = await service.client('admin').change('POST', '/webhooks', { url: sink.url, events: ['*'] });
  hookSecret = (ok(hook) as { secret: string }).secret;
});
afterAll(async () => {
  await service?.close();
  await collector?.close();
  await sink?.close();
});

const lines = (): Line[] =>
  service
    .log()
    .split('\n')
    .flatMap((line) => {
      const [, json] = /\| (\{"level":.*\})$/.exec(line) ?? [];
      return json === undefined ? [] : [JSON.parse(json) as Line];
    });

/** Requests one transfer over the API, and returns the transfer with the request id of the answer. */
async function transfer(walletId: string): Promise<{ readonly body: TransferBody; readonly requestId: string }> {
  const order = { kind: 'Native', to: RECIPIENT, amount: AMOUNT };
  const answer = await service.client('admin').change('POST', `/wallets/${walletId}/transfers`, order);
  return { body: ok(answer), requestId: answer.headers.get('x-request-id') ?? '' };
}

test('an idle connection is kept for longer than the two minutes of a proxy such as Caddy', async () => {
  const { headers } = await service.client('admin').get('/wallets');
  const [, seconds] = /timeout=(\d+)/.exec(headers.get('keep-alive') ?? '') ?? [];
  expect(Number(seconds)).toBeGreaterThan(120);
});

test('the response and the log lines of api, worker and signer contain one request id, and one trace joins their steps', async () => {
  const wallet = await fundedWallet(service, service.client('admin'));
  const { body, requestId } = await transfer(wallet.id);
  await ended(service.client('admin'), wallet.id, body.id);

  const said = await waitUntil('the lines of the transfer', () => {
    const own = lines().filter((line) => line.requestId === requestId);
    return (
      new Set(own.map(({ role }) => role)).size === 3 && own.some(({ activityType }) => activityType === 'prepareTransfer') && own
    );
  });
  const of = (role: string) => said.filter((line) => line.role === role);
  expect(of('api')).toMatchObject([
    { msg: 'request', operationId: 'transferAsset', status: 200, userId: service.userId('admin') },
  ]);
  expect(of('signer')).toMatchObject([{ msg: 'order done', op: 'signTransfer', recordId: body.id }]);
  const steps = of('worker').filter(({ msg }) => msg === 'activity done');
  // The activity prepareTransfer contains signing and broadcasting, so prepareTransfer ends last.
  expect(steps.map(({ activityType }) => activityType)).toEqual([
    'evaluateTransfer',
    'signTransfer',
    'broadcastTransfer',
    'prepareTransfer',
  ]);
  expect(new Set(steps.map(({ workflowId }) => workflowId))).toEqual(new Set([body.id]));

  const trace = await waitUntil('the spans of the transfer', () => {
    const own = collector.spans.filter(({ attributes }) => attributes['strongroom.request_id'] === requestId);
    const names = own.map(({ name }) => name);
    const last = ['http transferAsset', 'activity prepareTransfer', 'webhook attempt', 'outbox start'];
    return last.every((name) => names.includes(name)) && own;
  });
  expect(new Set(trace.map(({ traceId }) => traceId)).size).toBe(1);
  const parentOf = (span: CollectedSpan | undefined) => trace.find(({ spanId }) => spanId === span?.parentSpanId);
  const named = (name: string) => trace.find((span) => span.name === name);
  const parents = (name: string) => trace.filter((span) => span.name === name).map((span) => parentOf(span)?.name);
  expect(trace.filter(({ parentSpanId }) => parentSpanId === undefined)).toEqual([named('http transferAsset')]);
  expect(named('http transferAsset')).toMatchObject({ service: 'strongroom-api' });
  expect(parents('outbox start')).toEqual(['http transferAsset']);
  const [inRun, inPreparation] = ['workflow start transfer', 'activity prepareTransfer'];
  const parentOfStep = {
    evaluateTransfer: inRun,
    prepareTransfer: inRun,
    signTransfer: inPreparation,
    broadcastTransfer: inPreparation,
  };
  for (const [step, parent] of Object.entries(parentOfStep)) {
    expect(parents(`activity ${step}`)).toEqual([parent]);
    expect(named(`activity ${step}`)).toMatchObject({ service: 'strongroom-worker' });
  }
  // The API starts the workflow at once, and the relay starts the workflow once more for the same request.
  expect(['http transferAsset', 'outbox start']).toEqual(expect.arrayContaining(parents('workflow start transfer')));
  expect(parents('signer signTransfer')).toEqual(['activity signTransfer']);
  expect(Number(named('signer signTransfer')?.attributes['strongroom.signer.ms'])).toBeGreaterThanOrEqual(0);
  expect(parents('rpc eth_sendRawTransaction')).toEqual(['activity broadcastTransfer']);
  for (const parent of parents('webhook attempt')) expect(parent).toBe('outbox event');
  for (const parent of parents('outbox event')) expect(parent).toMatch(/^(http transferAsset|activity broadcastTransfer)$/);
});

test('the log line of a failed step or a failed request contains the id of the request', async () => {
  const wallet = await fundedWallet(service, service.client('admin'));
  await service.rpc('strongroom_setDown', [true]);
  const { body, requestId } = await transfer(wallet.id);
  const failed = await service.client('admin').send({
    method: 'GET',
    path: `/wallets/${wallet.id}/assets`,
    headers: { 'x-canary': HEADER_SECRET },
  });
  await waitUntil('the step to fail', () =>
    lines().some((line) => line.requestId === requestId && line.role === 'worker' && 'err' in line),
  );
  await service.rpc('strongroom_setDown', [false]);
  await ended(service.client('admin'), wallet.id, body.id);
  expect(failed.status).toBe(503);
  const line = lines().find((one) => one.requestId === failed.headers.get('x-request-id'));
  expect(line).toMatchObject({ msg: 'request failed', status: 503, err: { code: 'NetworkUnavailable' } });
});

test('logs and spans contain no secret, no header and no body, even after failures', async () => {
  const folder = join(service.dataFolder, 'secrets');
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const passwords = Object.values(JSON.parse(readFileSync(join(folder, 'database.json'), 'utf8')) as Record<string, string>);
  const users = service.firstRun().users.flatMap(({ token, privateKeyPem }) => [token, privateKeyPem]);
  const keys = [...files, ...users].flatMap((text) =>
    text.split('\n').filter((line) => line.length > 20 && !line.startsWith('--')),
  );
  const canaries = [...passwords, ...keys, hookSecret, NODE_SECRET, HEADER_SECRET];
  expect(canaries.length).toBeGreaterThan(12);
  for (const written of [service.log(), collector.raw()]) {
    expect(canaries.filter((canary) => written.includes(canary))).toEqual([]);
  }
  expect(collector.raw()).not.toMatch(new RegExp(`${RECIPIENT}|${AMOUNT}`, 'i'));
  expect(service.log()).not.toContain(AMOUNT);
});

test('log lines and spans contain only listed members', () => {
  const ours = lines();
  expect(new Set(ours.map(({ role }) => role))).toEqual(new Set(['api', 'worker', 'signer', 'chain', 'mailbox', 'vendors']));
  const members = new Set(ours.flatMap((line) => Object.keys(line)));
  expect([...members].filter((name) => !OWN_FIELDS.includes(name) && !Object.hasOwn(LOG_FIELDS, name))).toEqual([]);
  const attributes = new Set(collector.spans.flatMap((span) => Object.keys(span.attributes)));
  expect([...attributes].filter((name) => !Object.hasOwn(SPAN_ATTRIBUTES, name))).toEqual([]);
});
