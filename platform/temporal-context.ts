import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { CONTEXT_HEADER } from '../domain/headers';
import { contextFrom, type RequestContext, requestContext } from './request-context';
import { inSpan } from './spans';

/** Adds the context of the current work. Headers are not encrypted, but the two ids mean nothing to an outsider. */
function withContext(headers: Headers): Headers {
  const context = requestContext();
  if (context.requestId === undefined && context.traceparent === undefined) return headers;
  return { ...headers, [CONTEXT_HEADER]: defaultPayloadConverter.toPayload(context) };
}

/** The context in the headers of an activity; empty if the context is missing or unreadable. */
export function requestContextOf(headers: Headers): RequestContext {
  const payload = headers[CONTEXT_HEADER];
  if (payload === undefined) return {};
  try {
    return contextFrom(defaultPayloadConverter.fromPayload<Record<string, unknown>>(payload) ?? {});
  } catch {
    // The work does not depend on the context, so an unreadable context must not make the work fail.
    return {};
  }
}

export const contextInterceptor: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => {
    const { workflowType, options } = input;
    const attributes = { 'strongroom.workflow.type': workflowType, 'strongroom.workflow.id': options.workflowId };
    return inSpan({ name: `workflow start ${workflowType}`, kind: 'client', attributes }, () =>
      next({ ...input, headers: withContext(input.headers) }),
    );
  },
  signalWithStart: (input, next) => {
    const { workflowType, signalName, options } = input;
    const attributes = { 'strongroom.workflow.type': workflowType, 'strongroom.workflow.id': options.workflowId };
    return inSpan({ name: `workflow start ${workflowType} with ${signalName}`, kind: 'client', attributes }, () =>
      next({ ...input, headers: withContext(input.headers) }),
    );
  },
  signal: (input, next) => {
    const { signalName, workflowExecution } = input;
    const attributes = { 'strongroom.signal': signalName, 'strongroom.workflow.id': workflowExecution.workflowId ?? undefined };
    return inSpan({ name: `workflow signal ${signalName}`, kind: 'client', attributes }, () =>
      next({ ...input, headers: withContext(input.headers) }),
    );
  },
};
