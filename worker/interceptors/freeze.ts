import type { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import type { RestoreLock } from '../../application/deployment/restore-lock';
import { sharedRoute } from '../../domain/routes';

/**
 * Nothing is prepared, signed or sent while the deployment is frozen (S5). Followers pause too, because followers rebroadcast
 * dropped transactions. The activities of the main queue run, because these activities reach neither the signer nor the chains.
 */
export const activityFreeze =
  (freeze: RestoreLock) =>
  ({ info: { taskQueue } }: Context): { inbound: ActivityInboundCallsInterceptor } => ({
    inbound: {
      async execute(input, next) {
        if (taskQueue !== sharedRoute.main) await freeze.assertThawed();
        return next(input);
      },
    },
  });
