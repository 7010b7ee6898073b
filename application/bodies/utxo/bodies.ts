import { z } from 'zod';
import { RAW_PSBT_BYTES_MAX } from '../../../domain/transfers';
import type { FamilyBodies } from '../family-bodies';
import { SIGNATURE_MEMBERS, SignatureHex } from '../signature-members';
import { TransactionExternalId } from '../transaction-members';

const PsbtHex = z
  .string()
  .max(2 + 2 * RAW_PSBT_BYTES_MAX)
  .regex(/^(0x)?([0-9a-fA-F][0-9a-fA-F])*$/, 'must be hexadecimal digits, two per byte')
  .describe('A PSBT of version 0 with the previous transactions of its inputs: at most 100,000 bytes as hexadecimal digits');

const Psbt = z.strictObject({ kind: z.literal('Psbt'), psbt: PsbtHex, ...SIGNATURE_MEMBERS });
const Bip322 = z.strictObject({
  kind: z.literal('Bip322'),
  message: SignatureHex.describe('Bytes as hexadecimal digits, with or without 0x, at most 32 KiB; a transaction is refused'),
  // The schema does not fill in the default, because the stored request must stay as the caller signed it.
  format: z.enum(['Simple', 'Full']).optional().meta({ default: 'Simple', description: 'The form of the proof in BIP-322' }),
  ...SIGNATURE_MEMBERS,
});

export const utxoBodies = {
  transfers: [],
  transactions: [
    z.strictObject({ kind: z.literal('Psbt'), psbt: PsbtHex, externalId: TransactionExternalId }).meta({ id: 'BroadcastPsbt' }),
  ],
  rawTransactions: [],
  signatures: [Psbt.meta({ id: 'SignPsbt' }), Bip322.meta({ id: 'SignBip322' })],
  keySignatures: [],
  signableTransactions: [],
} as const satisfies FamilyBodies;
