import { z } from 'zod';
import type { FamilyBodies } from '../family-bodies';
import { TransactionExternalId } from '../transaction-members';

const BYTES_MAX = 512;
const EntryHex = z
  .string()
  .max(2 + 2 * BYTES_MAX)
  .regex(/^0x(?:[0-9a-f]{2})+$/, 'must be 0x and hexadecimal digits, two per byte');

export const pretenceBodies = {
  transfers: [],
  transactions: [
    z
      .strictObject({ kind: z.literal('PretenceEntry'), entry: EntryHex, externalId: TransactionExternalId })
      .meta({ id: 'BroadcastPretenceEntry' }),
  ],
  rawTransactions: [],
  signatures: [],
  keySignatures: [],
  signableTransactions: [],
} as const satisfies FamilyBodies;
