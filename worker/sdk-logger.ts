import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import type { Logger } from '../platform/logger';

/** The members of an SDK log line that may be logged, in addition to the error. Inputs and results are never logged. */
const MEMBERS = [
  'requestId',
  'workflowType',
  'workflowId',
  'runId',
  'activityType',
  'activityId',
  'attempt',
  'taskQueue',
] as const;

export function sdkLogger(logger: Logger): DefaultLogger {
  return new DefaultLogger('WARN', ({ level, message, meta }: LogEntry) => {
    const known = MEMBERS.flatMap((name) => (meta?.[name] === undefined ? [] : [[name, meta[name]] as const]));
    const line = { ...Object.fromEntries(known), ...(meta?.['error'] === undefined ? {} : { err: meta['error'] }) };
    if (level === 'ERROR') logger.error(line, message);
    else logger.warn(line, message);
  });
}
