import { z } from 'zod';
import { FAMILY_KEY_SIGNATURES, FAMILY_SIGNABLE_TRANSACTIONS, FAMILY_SIGNATURES } from './families';
import { SIGNATURE_MEMBERS, SignatureHex } from './signature-members';

const Hash = z.strictObject({
  kind: z.literal('Hash'),
  hash: z
    .string()
    .regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits')
    .describe('The 32 bytes that are signed as they are; below 2^251 for a key on stark'),
  taprootMerkleRoot: z
    .string()
    .regex(/^(0x)?([0-9A-Fa-f]{64})?$/, 'must be 64 hexadecimal digits, or none')
    .optional()
    .describe('Signs with the key tweaked for a Taproot output (BIP341): Schnorr only, empty without a script tree'),
  ...SIGNATURE_MEMBERS,
});

const Message = z.strictObject({
  kind: z.literal('Message'),
  message: SignatureHex.describe(
    'Bytes as hexadecimal digits, with or without 0x, at most 32 KiB. ECDSA on secp256k1 signs them as a personal message ' +
      '(EIP-191), EdDSA signs them unchanged. A transaction is refused',
  ),
  ...SIGNATURE_MEMBERS,
});

const Transaction = z.strictObject({
  kind: z.literal('Transaction'),
  transaction: z
    .union([
      z
        .string()
        .min(2)
        .max(65_536)
        .regex(/^(0x)?[A-Za-z0-9+/]+={0,2}$/, 'must be hexadecimal, or base64')
        .describe('Unsigned and serialized; on Solana also in base64, and also with signatures of other accounts'),
      ...FAMILY_SIGNABLE_TRANSACTIONS,
    ])
    .describe(
      'On EVM networks its members or its unsigned bytes; bytes are signed unchanged, and open members are filled in after approval',
    ),
  ...SIGNATURE_MEMBERS,
});

const KINDS = [
  Hash.meta({ id: 'SignHash' }),
  Message.meta({ id: 'SignMessage' }),
  Transaction.meta({ id: 'SignTransaction' }),
  ...FAMILY_SIGNATURES,
] as const;
export const WalletSignatureBody = z.discriminatedUnion('kind', KINDS).meta({ id: 'WalletSignatureBody' });
/** A key signs more kinds of content than a wallet. */
export const SignatureBody = z.discriminatedUnion('kind', [...KINDS, ...FAMILY_KEY_SIGNATURES]).meta({ id: 'SignatureBody' });
