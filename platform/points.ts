import { channel } from 'node:diagnostics_channel';

/**
 * A point in the work of this process. If a subscriber sets `until` to a promise, the work waits for the promise, and fails if
 * the promise rejects.
 */
export type Passing = {
  /** `begun` at the start of a step, `done` at the end of a step, or the name of an event within a step. */
  readonly moment: string;
  /** The step that begins at this point. */
  readonly step: string | undefined;
  readonly subject: unknown;
  until: Promise<void> | undefined;
};

/** The only channel through which tests observe the work of a process. Production code never subscribes. */
export const points = channel('strongroom:points');

/** Publishes a point and returns the promise that a subscriber put into `until`. */
export function reach(moment: string, subject?: unknown): Promise<void> | undefined {
  if (!points.hasSubscribers) return undefined;
  const passing: Passing = { moment, step: undefined, subject, until: undefined };
  points.publish(passing);
  return passing.until;
}

/**
 * Runs the work as one step. An `AsyncLocalStorage` that a subscriber has bound to the channel keeps its value during the step.
 */
export function during<T>(step: string, subject: unknown, work: () => Promise<T>): Promise<T> {
  if (!points.hasSubscribers) return work();
  const passing: Passing = { moment: 'begun', step, subject, until: undefined };
  return points.runStores(passing, async () => {
    await passing.until;
    const result = await work();
    await reach('done', subject);
    return result;
  });
}

/** Publishes one point before the request and one point after the reply. */
export function asking<T>(question: string, ask: () => Promise<T>): Promise<T> {
  return points.hasSubscribers ? askedBetweenPoints(question, ask) : ask();
}

async function askedBetweenPoints<T>(question: string, ask: () => Promise<T>): Promise<T> {
  await reach('asked', question);
  const answer = await ask();
  await reach('answered', question);
  return answer;
}
