import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { AppError } from '../../domain/errors';
import { createLogger } from '../../platform/logger';
import { inContext, requestContext } from '../../platform/request-context';
import { inRootSpan, inSpan } from '../../platform/spans';
import { startTracing } from '../../platform/tracing';
import { startTraceCollector, type TraceCollector } from '../support/trace-collector';

const ROOT = join(__dirname, '..', '..');
const CALLERS = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const CANARY = 'canary-7f3a';
const quiet = createLogger('test', 'silent');

let collector: TraceCollector;
beforeAll(async () => {
  collector = await startTraceCollector();
});
afterAll(() => collector?.close());

/** Does the work while a collector is configured, and returns the spans that the collector received. */
async function traced(work: () => Promise<unknown>) {
  const before = collector.spans.length;
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.endpoint;
  const config = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, OTEL_SDK_DISABLED: false };
  const stop = await startTracing('test', config, quiet);
  await work();
  await stop();
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  return collector.spans.slice(before);
}

test('a span is the child of the outer span, even if only the traceparent is passed on', async () => {
  let carried: string | undefined;
  const spans = await traced(async () => {
    await inRootSpan({ name: 'outer', kind: 'server' }, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      carried = requestContext().traceparent;
    });
    await inContext({ requestId: 'req-1', traceparent: carried ?? '' }, () =>
      inSpan({ name: 'inner', kind: 'client' }, async () => undefined),
    );
  });
  const [outer, inner] = spans;
  expect(outer).toMatchObject({ name: 'outer', service: 'strongroom-test', parentSpanId: undefined });
  expect(inner).toMatchObject({ name: 'inner', traceId: outer?.traceId, parentSpanId: outer?.spanId });
  expect(inner?.attributes).toEqual({ 'strongroom.request_id': 'req-1' });
});

test('a span continues the trace of the caller', async () => {
  const [span] = await traced(() =>
    inContext({ traceparent: CALLERS }, () => inRootSpan({ name: 'outer', kind: 'server' }, async () => undefined)),
  );
  expect(span).toMatchObject({ traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331' });
});

test('work outside a trace creates no span', async () => {
  expect(await traced(() => inSpan({ name: 'lonely', kind: 'client' }, async () => undefined))).toEqual([]);
});

test('an attribute that is not on the list, and the message of an error, never leave the process', async () => {
  const begin = { name: 'outer', kind: 'server', attributes: { 'strongroom.operation': 'x', address: CANARY } } as const;
  const spans = await traced(() =>
    inRootSpan(begin, async (span) => {
      span.set({ 'strongroom.network': { deep: CANARY }, amount: CANARY } as object);
      throw new AppError('NetworkUnavailable', CANARY, { secret: CANARY });
    }).catch(() => undefined),
  );
  expect(spans[0]?.attributes).toEqual({ 'strongroom.operation': 'x', 'error.type': 'NetworkUnavailable' });
  expect(collector.raw()).not.toContain(CANARY);
});

test('stopping succeeds even if the collector does not reply, and the log line contains no text from the library', async () => {
  const lines: string[] = [];
  const logger = createLogger('test', 'info', { write: (line) => lines.push(line) });
  const endpoint = `http://127.0.0.1:9/${CANARY}`;
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = endpoint;
  const stop = await startTracing('test', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: false }, logger);
  await inRootSpan({ name: 'lost', kind: 'server' }, async () => undefined);
  await stop();
  delete process.env['OTEL_EXPORTER_OTLP_ENDPOINT'];
  expect(lines.join('')).toContain('spans could not be sent');
  expect(lines.join('')).not.toContain(CANARY);
});

test.each([
  ['no collector is configured', {}],
  ['they are switched off', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', OTEL_SDK_DISABLED: true }],
])('when %s, spans do nothing and the library is not even loaded', (_how, config) => {
  // The script loads the modules of each role. The metrics library may load only `@opentelemetry/api`, the package of types.
  const script = `
    const modules = ['platform/tracing', 'api/services', 'api/http/app', 'worker/parts', 'worker/queues', 'signer/wire/server'];
    const loaded = Object.fromEntries(modules.map((name) => [name, require('./dist/' + name + '.js')]));
    const { inRootSpan } = require('./dist/platform/spans.js');
    loaded['platform/tracing'].startTracing('test', ${JSON.stringify(config)}, {}).then(async (stop) => {
      await inRootSpan({ name: 'x', kind: 'server' }, async () => undefined);
      await stop();
      console.log(Object.keys(require.cache).filter((path) => /@opentelemetry.(?!api)/.test(path)).length);
      process.exit(0);
    });`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', script], { cwd: ROOT, encoding: 'utf8' });
  expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: '0', stderr: '' });
});
