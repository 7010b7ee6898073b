import type { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { during } from '../../platform/points';

/**
 * Runs each activity as a step of `platform/points.ts`, through which tests observe a process. The step reaches the moment
 * `done` after the activity has returned and before Temporal learns of the result.
 */
export const activityPoints = ({ info }: Context): { inbound: ActivityInboundCallsInterceptor } => ({
  inbound: { execute: (input, next) => during(info.activityType, input.args, () => next(input)) },
});
