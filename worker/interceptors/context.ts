import { activityInfo, type Context, type Info } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor, ActivityOutboundCallsInterceptor } from '@temporalio/worker';
import type { TransferRef } from '../../domain/transfer-steps';
import type { Logger } from '../../platform/logger';
import { during } from '../../platform/points';
import { inContext, type RequestContext } from '../../platform/request-context';
import { inSpan } from '../../platform/spans';
import { requestContextOf } from '../../platform/temporal-context';

/**
 * Runs an activity in the context of the request that its workflow serves, and logs one line when the activity is done. The SDK
 * itself logs failures, and `getLogAttributes` adds the request's id to the SDK's lines.
 */
export const activityContext =
  (logger: Logger) =>
  ({ info }: Context): { inbound: ActivityInboundCallsInterceptor; outbound: ActivityOutboundCallsInterceptor } => {
    let context: RequestContext = {};
    return {
      inbound: {
        execute: (input, next) => {
          context = requestContextOf(input.headers);
          return inContext(context, () => said(logger, info, info.activityType, () => next(input)));
        },
      },
      outbound: {
        getLogAttributes: (attributes, next) =>
          next(context.requestId === undefined ? attributes : { ...attributes, requestId: context.requestId }),
      },
    };
  };

/** Logs a step inside an activity, and any failure of the step, as if the step were an activity itself. */
export const stepContext =
  (logger: Logger) =>
  <T>(name: string, step: (ref: TransferRef) => Promise<T>) =>
  async (ref: TransferRef): Promise<T> => {
    const info = activityInfo();
    try {
      return await said(logger, info, name, () => during(name, ref, () => step(ref)));
    } catch (error) {
      const { attempt, workflowExecution } = info;
      logger.warn(
        { err: error, activityType: name, workflowId: workflowExecution?.workflowId, attempt },
        'step failed; its own queue retries it',
      );
      throw error;
    }
  };

type Told = Pick<Info, 'attempt' | 'workflowExecution'>;

async function said<T>(logger: Logger, { attempt, workflowExecution }: Told, name: string, work: () => Promise<T>): Promise<T> {
  const workflowId = workflowExecution?.workflowId;
  const attributes = {
    'strongroom.activity.type': name,
    'strongroom.activity.attempt': attempt,
    'strongroom.workflow.id': workflowId,
  };
  return inSpan({ name: `activity ${name}`, kind: 'internal', attributes }, async () => {
    const started = performance.now();
    const result = await work();
    logger.info({ activityType: name, workflowId, attempt, ms: Math.round(performance.now() - started) }, 'activity done');
    return result;
  });
}
