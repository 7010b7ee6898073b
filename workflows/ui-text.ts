import type { HoldGroup } from '../domain/judgements';
import type { RotationProgress } from '../domain/rotations';

/** Markdown for the operator, shown in the Temporal UI while people decide. */
export function holdDetails(groups: readonly HoldGroup[], deadlineMs: number | undefined): string {
  const waiting = groups.map(({ name, quorum, have }, index) => {
    const group = name === null ? `group ${index + 1}` : `group **${name}**`;
    return have >= quorum ? `${group} has approved` : `waiting for ${quorum - have} of ${quorum} in ${group}`;
  });
  const until = deadlineMs === undefined ? 'It never expires.' : `It is rejected automatically at ${momentInWords(deadlineMs)}.`;
  return `Held by policy: ${waiting.join('; ')}. ${until}`;
}

export function equalDetails(equalToId: string, deadlineMs: number): string {
  return `It looks like a duplicate of ${equalToId}: waiting for confirmation. It fails at ${momentInWords(deadlineMs)}.`;
}

/** The time to the minute, always in UTC. */
export function momentInWords(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

export function rotationDetails(what: string, { looked, done, refused, passes }: RotationProgress): string {
  const closed = refused === 0 ? '' : ` **${refused} do not open** and stay as they are.`;
  return `${what}: ${done} of ${looked} rows replaced, ${passes} passes over all of them so far.${closed}`;
}

export function amendmentsDetails({
  InForce: inForce,
  Refused: refused,
}: Readonly<Record<'InForce' | 'Refused', number>>): string {
  const without = refused === 0 ? '' : ` **The signer refused ${refused}**, which the service shows with the charter.`;
  return `The signer's charter has followed ${inForce} changes by members.${without}`;
}
