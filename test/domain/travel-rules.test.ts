import { strictestTimes } from '../../domain/travel-rules';

const times = (autoTriggerTimeoutSeconds: number, autoClearAfterDeliveredTimeoutSeconds?: number) => ({
  vendor: 'TravelRuleVendor' as const,
  autoTriggerTimeoutSeconds,
  ...(autoClearAfterDeliveredTimeoutSeconds === undefined ? {} : { autoClearAfterDeliveredTimeoutSeconds }),
});

test('if several policies share one message, the earliest trigger and the latest clearance apply, and silence clears only if all policies allow this', () => {
  expect(strictestTimes([])).toBeNull();
  expect(strictestTimes([times(600, 60)])).toEqual({ trigger: 600, clear: 60 });
  expect(strictestTimes([times(600, 60), times(300, 90)])).toEqual({ trigger: 300, clear: 90 });
  expect(strictestTimes([times(600, 60), times(900)])).toEqual({ trigger: 600, clear: null });
});
