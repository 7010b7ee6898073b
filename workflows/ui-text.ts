import type { HoldGroup } from '../domain/judgements';
import type { RotationProgress } from '../domain/rotations';

/** The text that an operator reads in the Temporal UI while people decide, in plain words (Markdown). */
export function holdDetails(groups: readonly HoldGroup[], deadlineMs: number | undefined): string {
  const waiting = groups.map(({ name, quorum, have }, index) => {
    const group = name === null ? `group ${index + 1}` : `group **${name}**`;
    return have >= quorum ? `${group} has approved` : `waiting for ${quorum - have} of ${quorum} in ${group}`;
  });
  const until = deadlineMs === undefined ? 'It never expires.' : `It is rejected automatically at ${momentInWords(deadlineMs)}.`;
  return `Held by policy: ${waiting.join('; ')}. ${until}`;
}

/** The text while a suspected duplicate waits for confirmation. */
export function equalDetails(equalToId: string, deadlineMs: number): string {
  return `It looks like a duplicate of ${equalToId}: waiting for confirmation. It fails at ${momentInWords(deadlineMs)}.`;
}

/** A point in time for people to read: to the minute, and always in UTC. */
export function momentInWords(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/** The text that shows the progress of a rotation. */
export function rotationDetails(what: string, { looked, done, refused, passes }: RotationProgress): string {
  const closed = refused === 0 ? '' : ` **${refused} do not open** and stay as they are.`;
  return `${what}: ${done} of ${looked} rows replaced, ${passes} passes over all of them so far.${closed}`;
}
