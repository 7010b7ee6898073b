import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createLogger } from '../../platform/logger';
import { createMetrics, SERIES_MAX, type Source, sampleOf } from '../../platform/metrics';
import { exposeMetrics, serveMetrics } from '../../platform/metrics-server';

const logger = createLogger('test', 'silent');
const SOURCE_LIMIT_MS = 50;
const metricsOf = (process: 'api' | 'worker') => createMetrics(process, logger, SOURCE_LIMIT_MS);
const approvals = (read: Source['read']): Source => ({ name: 'database', metrics: ['strongroom_approvals_waiting'], read });

test('a process shows its own metrics and no metrics of another process', async () => {
  const text = await metricsOf('api').scrape();
  expect(text).toContain('# TYPE strongroom_http_request_duration_seconds histogram');
  expect(text).not.toContain('strongroom_signer_up');
  expect(() => metricsOf('api').count('strongroom_outbox_relayed_total', { kind: 'event' })).toThrow('not a metric of the api');
});

test('new samples from a source replace its earlier samples', async () => {
  const metrics = metricsOf('worker');
  let states = ['Approved', 'Signing'];
  metrics.addSource({
    name: 'database',
    metrics: ['strongroom_transfers_open'],
    read: () => states.map((state) => sampleOf('strongroom_transfers_open', { network: 'EthereumSepolia', state }, 3)),
  });
  expect(await metrics.scrape()).toContain('strongroom_transfers_open{network="EthereumSepolia",state="Approved"} 3');
  states = ['Signing'];
  const text = await metrics.scrape();
  expect(text).toContain('state="Signing"} 3');
  expect(text).not.toContain('state="Approved"');
});

test.each<[string, Source['read']]>([
  ['fails', () => Promise.reject(new Error('canary'))],
  [
    'throws at once',
    () => {
      throw new Error('canary');
    },
  ],
  ['never answers', () => new Promise(() => undefined)],
])('a source that %s adds no values to the scrape, is counted as a scrape error, and does not block', async (_how, read) => {
  const metrics = metricsOf('worker');
  let isBroken = false;
  metrics.addSource(approvals(() => (isBroken ? read() : [sampleOf('strongroom_approvals_waiting', {}, 7)])));
  const before = await metrics.scrape();
  expect(before).toMatch(/^strongroom_approvals_waiting 7$/m);
  expect(before).toMatch(/^strongroom_scrape_errors_total\{source="database"\} 0$/m);
  isBroken = true;
  const after = await metrics.scrape();
  expect(after).not.toMatch(/^strongroom_approvals_waiting /m);
  expect(after).toMatch(/^strongroom_scrape_errors_total\{source="database"\} 1$/m);
  expect(after).not.toContain('canary');
});

test('a total that another process reports may restart at zero', async () => {
  const metrics = metricsOf('worker');
  let total = 5;
  metrics.addSource({
    name: 'signer',
    metrics: ['strongroom_signer_orders_total'],
    read: () => [sampleOf('strongroom_signer_orders_total', { op: 'signTransfer', outcome: 'Done' }, total)],
  });
  expect(await metrics.scrape()).toContain('{op="signTransfer",outcome="Done"} 5');
  expect(await metrics.scrape()).toContain('{op="signTransfer",outcome="Done"} 5');
  total = 1;
  expect(await metrics.scrape()).toContain('{op="signTransfer",outcome="Done"} 1');
});

test('simultaneous scrapes read each source once', async () => {
  const metrics = metricsOf('worker');
  let asked = 0;
  metrics.addSource(
    approvals(async () => {
      asked += 1;
      return [];
    }),
  );
  const [one, other] = await Promise.all([metrics.scrape(), metrics.scrape()]);
  expect([asked, one]).toEqual([1, other]);
});

test('series beyond the maximum are counted under the label other', async () => {
  const metrics = metricsOf('worker');
  for (let index = 0; index < SERIES_MAX + 5; index += 1) {
    const labels = { network: 'EthereumSepolia', method: `method${index}`, outcome: 'Answered' };
    metrics.observe('strongroom_rpc_request_duration_seconds', labels, 0.01);
  }
  const counts = (await metrics.scrape()).match(/^strongroom_rpc_request_duration_seconds_count.*$/gm) ?? [];
  expect(counts).toHaveLength(SERIES_MAX + 1);
  expect(counts.at(-1)).toBe('strongroom_rpc_request_duration_seconds_count{network="other",method="other",outcome="other"} 5');
});

test('GET /metrics returns 200 with text, other paths 404 and other methods 405', async () => {
  const server = await serveMetrics({ scrape: async () => 'up 1\n' }, { host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const answer = await fetch(`${url}/metrics`);
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'up 1\n',
    ]);
    expect((await fetch(`${url}/`)).status).toBe(404);
    expect((await fetch(`${url}/metrics`, { method: 'POST' })).status).toBe(405);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

test('with port 0, no server is opened and no metrics of the process are collected', async () => {
  const metrics = metricsOf('api');
  expect(await exposeMetrics(metrics, { METRICS_HOST: '127.0.0.1', METRICS_PORT: 0 })).toEqual([]);
  expect(await metrics.scrape()).not.toContain('process_cpu_seconds_total');
});
