import type { FleetInput } from '../../platform/fleets/inputs';
import { shortDigest } from '../../platform/fleets/statement';
import { printable } from '../printable';

const LABEL_CHARS = 14;
export const labelled = (label: string, value: string | number): string => `${label.padEnd(LABEL_CHARS)} ${value}`;

export const inputWords = (input: FleetInput, digest: string): readonly string[] => [
  labelled('Operation', input.task.kind),
  labelled('Organisation', input.orgId),
  labelled('Key store', input.storeId),
  labelled('Fleet', `${input.fleetId} "${printable(input.fleetLabel)}"`),
  labelled('Group', input.groupId),
  labelled('Issued', `${input.dateIssued}, valid until ${input.notAfter}`),
  labelled('Input', shortDigest(digest)),
];
