import type { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor, ActivityOutboundCallsInterceptor } from '@temporalio/worker';
import type { Logger } from '../../platform/logger';
import { inContext, type RequestContext } from '../../platform/request-context';
import { inSpan } from '../../platform/spans';
import { contextOf } from '../../platform/temporal-context';

/**
 * Does an activity in the context of the request that its workflow serves, and says in one line that it is done. The line of
 * one that failed is the SDK's, which gets the request's id by its attributes.
 */
export const activityContext =
  (logger: Logger) =>
  ({ info }: Context): { inbound: ActivityInboundCallsInterceptor; outbound: ActivityOutboundCallsInterceptor } => {
    const { activityType, attempt, workflowExecution } = info;
    const workflowId = workflowExecution?.workflowId;
    let context: RequestContext = {};
    return {
      inbound: {
        execute: (input, next) => {
          context = contextOf(input.headers);
          const attributes = {
            'strongroom.activity.type': activityType,
            'strongroom.activity.attempt': attempt,
            'strongroom.workflow.id': workflowId,
          };
          return inContext(context, () =>
            inSpan({ name: `activity ${activityType}`, kind: 'internal', attributes }, async () => {
              const started = performance.now();
              const result = await next(input);
              logger.info({ activityType, workflowId, attempt, ms: Math.round(performance.now() - started) }, 'activity done');
              return result;
            }),
          );
        },
      },
      outbound: {
        getLogAttributes: (attributes, next) =>
          next(context.requestId === undefined ? attributes : { ...attributes, requestId: context.requestId }),
      },
    };
  };
