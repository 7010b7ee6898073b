import { ApplicationFailure } from '@temporalio/common';
import type { ActivityInboundCallsInterceptor } from '@temporalio/worker';
import { AppError } from '../../domain/errors';

/** The type of the failure is the error code. The catalogue of errors decides whether a retry can help. */
export const activityErrors = (): { inbound: ActivityInboundCallsInterceptor } => ({
  inbound: {
    async execute(input, next) {
      try {
        return await next(input);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        throw ApplicationFailure.create({
          type: error.code,
          message: error.message,
          nonRetryable: !error.retryable,
          cause: error,
        });
      }
    },
  },
});
