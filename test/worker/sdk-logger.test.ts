import { sdkLogger } from '../../worker/sdk-logger';

type Line = { readonly level: string; readonly fields: Record<string, unknown>; readonly message: string };

function recorded(): { readonly lines: Line[]; readonly logger: Parameters<typeof sdkLogger>[0] } {
  const lines: Line[] = [];
  const at = (level: string) => (fields: Record<string, unknown>, message: string) => lines.push({ level, fields, message });
  return { lines, logger: { warn: at('warn'), error: at('error') } as never };
}

test('a failed activity is logged with its workflow and its error, but without its input', () => {
  const { lines, logger } = recorded();
  const error = new Error('no node answers');
  sdkLogger(logger).warn('Activity failed', {
    activityType: 'prepareTransfer',
    workflowId: 'xfr-1',
    attempt: 3,
    error,
    input: 'canary',
  });
  expect(lines).toEqual([
    {
      level: 'warn',
      message: 'Activity failed',
      fields: { activityType: 'prepareTransfer', workflowId: 'xfr-1', attempt: 3, err: error },
    },
  ]);
});

test('an error is logged as an error, and messages below a warning are dropped', () => {
  const { lines, logger } = recorded();
  const sdk = sdkLogger(logger);
  sdk.info('Worker state changed');
  sdk.error('Worker failed');
  expect(lines).toEqual([{ level: 'error', message: 'Worker failed', fields: {} }]);
});
