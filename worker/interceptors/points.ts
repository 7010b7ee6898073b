import type { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { during } from '../../platform/points';

/** Runs each activity as a step. The step reaches `done` when the function has returned and Temporal does not know that yet. */
export const activityPoints = ({ info }: Context): { inbound: ActivityInboundCallsInterceptor } => ({
  inbound: { execute: (input, next) => during(info.activityType, input.args, () => next(input)) },
});
