import type { HoldGroup } from '../domain/transfer-steps';

const MINUTE_MS = 60_000;

/** What an operator reads in the Temporal UI while people decide, in plain words (Markdown). */
export function holdDetails(groups: readonly HoldGroup[], deadlineMs: number | undefined): string {
  const waiting = groups.map(({ name, quorum, have }, index) => {
    const group = name === null ? `group ${index + 1}` : `group **${name}**`;
    return have >= quorum ? `${group} has approved` : `waiting for ${quorum - have} of ${quorum} in ${group}`;
  });
  const until =
    deadlineMs === undefined
      ? 'It never expires.'
      : `It rejects itself at ${new Date(deadlineMs).toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
  return `Held by policy: ${waiting.join('; ')}. ${until}`;
}

/** A duration for a timer's summary: minutes, hours or days, whichever reads best. */
export function inWords(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 2_880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1_440)} days`;
}
