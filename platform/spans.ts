import { inContext, type RequestContext, requestContext } from './request-context';
import type { SpanAttributes } from './span-attributes';

export type Span = {
  readonly set: (attributes: SpanAttributes) => void;
  readonly rename: (name: string) => void;
  /** Marks the span as failed. An error that the work throws also marks the span. */
  readonly fail: (error: unknown) => void;
};

type Begin = {
  /** A name from a small set. Everything variable belongs in `attributes`. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  readonly attributes?: SpanAttributes;
};

export type Tracer = {
  readonly begin: (begin: Begin, parent: RequestContext) => Span & { readonly traceparent: string; readonly end: () => void };
};

export const NO_SPAN: Span = { set: () => undefined, rename: () => undefined, fail: () => undefined };
let tracer: Tracer | undefined;

export function installTracer(next: Tracer | undefined): void {
  tracer = next;
}

export const isTracing = (): boolean => tracer !== undefined;

/** Without a trace or a tracer, the work just runs. */
export function inSpan<T>(begin: Begin, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer === undefined || requestContext().traceparent === undefined ? work(NO_SPAN) : spanned(tracer, begin, work);
}

/** Begins a trace if there is none. Only HTTP requests may begin a trace. */
export function inRootSpan<T>(begin: Begin, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer === undefined ? work(NO_SPAN) : spanned(tracer, begin, work);
}

function spanned<T>(by: Tracer, begin: Begin, work: (span: Span) => Promise<T>): Promise<T> {
  const context = requestContext();
  const span = by.begin(begin, context);
  return inContext({ ...context, traceparent: span.traceparent }, async () => {
    try {
      return await work(span);
    } catch (error) {
      span.fail(error);
      throw error;
    } finally {
      span.end();
    }
  });
}
