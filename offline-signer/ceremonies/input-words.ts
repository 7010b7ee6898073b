import type { FleetInput } from '../../platform/fleets/inputs';
import { shortDigest } from '../../platform/fleets/statement';

const LABEL_CHARS = 14;
export const line = (label: string, value: string | number): string => `${label.padEnd(LABEL_CHARS)} ${value}`;

/** Control and format characters can hide or reorder text on a screen. */
export const plain = (text: string): string => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');

export const inputWords = (input: FleetInput, digest: string): readonly string[] => [
  line('Operation', input.task.kind),
  line('Organisation', input.orgId),
  line('Key store', input.storeId),
  line('Fleet', `${input.fleetId} "${plain(input.fleetLabel)}"`),
  line('Group', input.groupId),
  line('Issued', `${input.dateIssued}, valid until ${input.notAfter}`),
  line('Input', shortDigest(digest)),
];
