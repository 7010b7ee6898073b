import { z } from 'zod';
import { Flag } from './config';
import type { Logger } from './logger';
import { listedAttributes } from './span-attributes';
import { installTracer, type Tracer } from './spans';

/** An unresponsive collector must not delay the end of a process; the exporter would retry for minutes. */
const SHUTDOWN_LIMIT_MS = 3_000;

const Endpoint = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .optional()
  .meta({ form: 'http or https address' });

/** The tracing library itself reads further variables. */
export const TracingEnv = {
  OTEL_EXPORTER_OTLP_ENDPOINT: Endpoint.describe('Collector of traces (OTLP over HTTP); no traces are made without one.'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: Endpoint.describe('Whole address for traces, in place of `OTEL_EXPORTER_OTLP_ENDPOINT`.'),
  OTEL_SERVICE_NAME: z
    .string()
    .max(100)
    .optional()
    .describe('Name of the process in traces; unless set, `strongroom-` and its role.'),
  OTEL_SDK_DISABLED: Flag.default(false).describe('Switches traces off even if a collector is named.'),
};

type TracingConfig = z.output<z.ZodObject<typeof TracingEnv>>;

/** The returned function sends the remaining spans and stops. Without a collector not even the tracing library is loaded. */
export async function startTracing(role: string, config: TracingConfig, logger: Logger): Promise<() => Promise<void>> {
  const endpoint = config.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || config.OTEL_SDK_DISABLED) return async () => undefined;
  const [api, { BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const quiet = () => undefined;
  // The error text is not logged, because it may repeat the collector's response, or the collector's address with a key.
  const lost = () => logger.warn('spans could not be sent to the collector');
  diag.setLogger({ error: lost, warn: quiet, info: quiet, debug: quiet, verbose: quiet }, DiagLogLevel.ERROR);

  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': config.OTEL_SERVICE_NAME ?? `strongroom-${role}` }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('strongroom');
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

  const begin: Tracer['begin'] = ({ name, kind, attributes = {} }, { requestId, traceparent }) => {
    const parent = traceparent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, spanContextOf(traceparent));
    const own = listedAttributes({ ...attributes, 'strongroom.request_id': requestId });
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes: own }, parent);
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-0${traceFlags & 1}`,
      set: (more) => void span.setAttributes(listedAttributes(more)),
      rename: (next) => void span.updateName(next),
      fail: (error) => {
        span.setStatus({ code: SpanStatusCode.ERROR });
        span.setAttributes(listedAttributes({ 'error.type': kindOf(error) }));
      },
      end: () => span.end(),
    };
  };
  installTracer({ begin });
  return async () => {
    installTracer(undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('late')), SHUTDOWN_LIMIT_MS);
    });
    await Promise.race([provider.shutdown(), late]).catch(lost);
    clearTimeout(timer);
  };
}

function spanContextOf(traceparent: string) {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

/** The code or class name. A message may contain a value that must not be in a trace. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
