import { channel } from 'node:diagnostics_channel';

/**
 * A point as a subscriber sees it. The caller waits for a promise that the subscriber puts into `until`, and fails if the
 * promise rejects.
 */
export type Passing = {
  /** `begun` or `done` of a step, or an event within it. */
  readonly moment: string;
  /** The step that begins here; undefined at every other moment. */
  readonly step: string | undefined;
  /** The object that the caller works on. */
  readonly subject: unknown;
  until: Promise<void> | undefined;
};

/** The one channel through which a process can be observed at work from outside. Nothing in production subscribes to it. */
export const points = channel('strongroom:points');

/** Passes a point. Without a subscriber there is nothing to wait for. */
export function reach(moment: string, subject?: unknown): Promise<void> | undefined {
  if (!points.hasSubscribers) return undefined;
  const passing: Passing = { moment, step: undefined, subject, until: undefined };
  points.publish(passing);
  return passing.until;
}

/** Runs the work as a step of that name: a store that a subscriber has bound to the channel lasts for its duration. */
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

/** A request to another process, with a point before it is sent and one after its reply. */
export function asking<T>(question: string, ask: () => Promise<T>): Promise<T> {
  return points.hasSubscribers ? askedBetweenPoints(question, ask) : ask();
}

async function askedBetweenPoints<T>(question: string, ask: () => Promise<T>): Promise<T> {
  await reach('asked', question);
  const answer = await ask();
  await reach('answered', question);
  return answer;
}
