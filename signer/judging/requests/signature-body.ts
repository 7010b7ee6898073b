import { z } from 'zod';
import { isKeyNetwork } from '../../../domain/networks';
import { WRITTEN_TYPED_DATA } from './assert-typed-data';
import { WrittenTransaction } from './evm/request-terms';
import { WrittenOperations } from './evm/user-operations-requested';
import { RequestExternalId } from './signed-body';
import { WrittenPsbt } from './utxo-requested';

/** `blockchainKind` only narrows the networks that the service accepts, and does not change the content. */
const COMMON = {
  network: z
    .string()
    .max(64)
    // Some names stand for a kind of key and not for a network.
    .transform((name) => (isKeyNetwork(name) ? undefined : name))
    .optional(),
  blockchainKind: z.string().max(32).optional(),
  externalId: RequestExternalId,
};
const Hex = z.string().regex(/^(?:0x)?(?:[0-9a-fA-F]{2})*$/);
const authorization = {
  kind: z.literal('Eip7702'),
  address: z.string().regex(/^(?:0x)?[0-9a-fA-F]{40}$/),
  nonce: z.int().nonnegative(),
  chainId: z.int().nonnegative(),
};

const KINDS = [
  z.strictObject({
    kind: z.literal('Hash'),
    hash: z.string().regex(/^(?:0x)?[0-9a-fA-F]{64}$/),
    taprootMerkleRoot: z
      .string()
      .regex(/^(?:0x)?(?:[0-9a-fA-F]{64})?$/)
      .optional(),
    ...COMMON,
  }),
  z.strictObject({ kind: z.literal('Message'), message: Hex, ...COMMON }),
  z.strictObject({ kind: z.literal('Eip191'), message: z.string(), ...COMMON }),
  z.strictObject({ ...WRITTEN_TYPED_DATA, ...COMMON }),
  z.strictObject({ ...authorization, ...COMMON }),
  z.strictObject({
    kind: z.literal('Transaction'),
    transaction: WrittenTransaction,
    ...COMMON,
  }),
  z.strictObject({ kind: z.literal('Psbt'), psbt: WrittenPsbt, ...COMMON }),
  z.strictObject({ kind: z.literal('Bip322'), message: Hex, format: z.enum(['Simple', 'Full']).optional(), ...COMMON }),
] as const;

/** The service ignores `signatures` and `transactionReference`. */
const SmartAccount = z.strictObject({
  kind: z.literal('SvcSmartAccountTransaction'),
  structured: z.strictObject({
    address: z.string().max(42),
    userOperations: WrittenOperations,
    message: z.strictObject(WRITTEN_TYPED_DATA),
    authorization: z.strictObject(authorization).optional(),
  }),
  signatures: z.strictObject({}).optional(),
  transactionReference: z.string().min(1).max(256).optional(),
  ...COMMON,
});

export const WalletSignature = z.discriminatedUnion('kind', KINDS);
export const RequestedSignature = z.discriminatedUnion('kind', [...KINDS, SmartAccount]);
export type RequestedSignature = z.infer<typeof RequestedSignature>;
