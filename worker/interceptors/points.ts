import type { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { during } from '../../platform/points';

/** Each activity is a step. It reaches `done` when its function has returned and Temporal does not know that yet. */
export const activityPoints = ({ info }: Context): { inbound: ActivityInboundCallsInterceptor } => ({
  inbound: { execute: (input, next) => during(info.activityType, input.args, () => next(input)) },
});
