import type { Headers, WorkflowInterceptors } from '@temporalio/workflow';
import { CONTEXT_HEADER } from '../domain/headers';

/**
 * Passes the context of the starting request on to activities, children and the next run. The workflow does not parse the
 * context, because parsing would cost time in every workflow task.
 */
export function interceptors(): WorkflowInterceptors {
  let context: Headers = {};
  const withContext = <I extends { readonly headers: Headers }>(input: I): I => ({
    ...input,
    headers: { ...input.headers, ...context },
  });
  return {
    inbound: [
      {
        execute: (input, next) => {
          const carried = input.headers[CONTEXT_HEADER];
          if (carried) context = { [CONTEXT_HEADER]: carried };
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(withContext(input)),
        scheduleLocalActivity: (input, next) => next(withContext(input)),
        startChildWorkflowExecution: (input, next) => next(withContext(input)),
        continueAsNew: (input, next) => next(withContext(input)),
      },
    ],
  };
}
