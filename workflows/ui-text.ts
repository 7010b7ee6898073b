import type { FleetStanding, FleetStep } from '../domain/fleet-groups';
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

const FLEET_STEPS: Readonly<Record<FleetStep, string>> = {
  Seal: 'The service makes the archive and has the signer sign it',
  Output: 'Waiting for people: an operator carries the archive to the device, and submits the output',
  Check: 'The service verifies the output',
  Review: 'Waiting for people: someone who neither made nor submitted the group approves or rejects it',
  Record: 'The signer records the approval',
};

export const fleetDetails = ({ next, kind, storeId }: Exclude<FleetStanding, { next: 'Ended' }>, endsMs: number): string =>
  `${kind} for the key store ${storeId}. ${FLEET_STEPS[next]}. The group is canceled at ${momentInWords(endsMs)} without an outcome.`;

export function amendmentsDetails({
  InForce: inForce,
  Refused: refused,
}: Readonly<Record<'InForce' | 'Refused', number>>): string {
  const without = refused === 0 ? '' : ` **The signer refused ${refused}**, which the service shows with the charter.`;
  return `The signer's charter has followed ${inForce} changes by members.${without}`;
}
