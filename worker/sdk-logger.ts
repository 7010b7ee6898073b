import { DefaultLogger, type LogEntry } from '@temporalio/worker';
import type { Logger } from '../platform/logger';

/** The members of an SDK log line that may be logged. These members only name the work. Inputs and results are never logged. */
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

/**
 * Passes warnings and errors of the Temporal SDK to our log. Keeps only the members in `MEMBERS` and the error of each line.
 */
export function sdkLogger(logger: Logger): DefaultLogger {
  return new DefaultLogger('WARN', ({ level, message, meta }: LogEntry) => {
    const known = MEMBERS.flatMap((name) => (meta?.[name] === undefined ? [] : [[name, meta[name]] as const]));
    const line = { ...Object.fromEntries(known), ...(meta?.['error'] === undefined ? {} : { err: meta['error'] }) };
    if (level === 'ERROR') logger.error(line, message);
    else logger.warn(line, message);
  });
}
