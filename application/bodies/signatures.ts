import { z } from 'zod';
import { INTERFACE_NETWORK_NAMES } from '../../domain/networks';
import { SMART_ACCOUNT_EXAMPLE } from './smart-account-example';
import { PsbtHex, UserOperations } from './transaction-members';

/** Kinds of networks that the interface knows; here the EVM networks have theirs. */
const BLOCKCHAIN_KINDS = [
  ...['Algorand', 'Aptos', 'Bitcoin', 'BitcoinCash', 'Canton', 'Cardano', 'Concordium', 'Cosmos', 'Evm', 'Hedera', 'Icp', 'Iota'],
  ...['Kaspa', 'Near', 'Polymesh', 'Solana', 'Starknet', 'Stellar', 'Substrate', 'Sui', 'Tezos', 'Ton', 'Tron', 'Xrpl'],
] as const;

const TYPES_MAX = 64;
const FIELDS_MAX = 128;
const NAME_CHARS_MAX = 128;
const TEXT_CHARS_MAX = 32 * 1024;
const NONCE_MAX = 2 ** 31 - 1;
const REFERENCE_CHARS_MAX = 256;

const Hex = z.string().regex(/^(0x)?([0-9a-fA-F][0-9a-fA-F])*$/, 'must be hexadecimal digits, two per byte');
const Address = z.string().regex(/^(0x)?[0-9a-fA-F]{40}$/, 'must be 40 hexadecimal digits');
const Quantity = z.union([z.string().min(1).max(80), z.int().nonnegative()]);

const shared = {
  network: z.enum(INTERFACE_NETWORK_NAMES).optional(),
  blockchainKind: z.enum(BLOCKCHAIN_KINDS).meta({ id: 'BlockchainKind' }).optional(),
  externalId: z.string().min(1).max(50).optional(),
};

const Hash = z.strictObject({
  kind: z.literal('Hash'),
  hash: z.string().regex(/^(0x)?[0-9a-fA-F]{64}$/, 'must be 64 hexadecimal digits'),
  taprootMerkleRoot: z
    .string()
    .regex(/^(0x)?([0-9A-Fa-f]{64})?$/, 'must be 64 hexadecimal digits, or none')
    .optional(),
  ...shared,
});

const Message = z.strictObject({ kind: z.literal('Message'), message: Hex, ...shared });
const Eip191 = z.strictObject({ kind: z.literal('Eip191'), message: z.string().max(TEXT_CHARS_MAX), ...shared });

const FieldName = z.string().min(1).max(NAME_CHARS_MAX);
const Fields = z.array(z.strictObject({ name: FieldName, type: FieldName })).max(FIELDS_MAX);
const typedData = {
  kind: z.literal('Eip712'),
  types: z
    .record(FieldName, Fields)
    .refine((types) => Object.keys(types).length <= TYPES_MAX, `must be at most ${TYPES_MAX} types`)
    .meta({ id: 'Eip712Types' }),
  domain: z
    .strictObject({
      name: z.string().max(TEXT_CHARS_MAX).optional(),
      version: z.string().max(TEXT_CHARS_MAX).optional(),
      chainId: z.union([z.int().positive(), z.string().regex(/^\d{1,78}$/, 'must be digits')]).optional(),
      verifyingContract: z
        .string()
        .regex(/^0x[0-9a-fA-F]{40}$/)
        .optional(),
      salt: z
        .string()
        .regex(/^0x[0-9a-fA-F]{64}$/)
        .optional(),
    })
    .meta({ id: 'TypedDataDomain' }),
  message: z.record(z.string(), z.unknown()),
};
const Eip712 = z.strictObject({ ...typedData, ...shared });

const authorization = {
  kind: z.literal('Eip7702'),
  address: Address,
  nonce: z.int().nonnegative().max(NONCE_MAX),
  chainId: z.int().nonnegative(),
};
const Eip7702 = z.strictObject({ ...authorization, ...shared });

const Storage = z.strictObject({ address: z.string().max(42), storageKeys: z.array(z.string().max(66)).max(512) });
const Authorization = z.strictObject({
  chainId: Quantity,
  address: z.string().max(42),
  nonce: Quantity,
  yParity: Quantity,
  r: z.string().max(66),
  s: z.string().max(66),
});
/** An EVM transaction by its members; which of them go with which type is checked against the network. */
const EvmTransaction = z.strictObject({
  type: Quantity.optional(),
  chainId: Quantity.optional(),
  from: z.string().max(42).optional(),
  to: z.string().max(42).nullish(),
  value: Quantity.optional(),
  data: z.string().max(65_536).optional(),
  nonce: Quantity.optional(),
  gasLimit: Quantity.optional(),
  gasPrice: Quantity.optional(),
  maxFeePerGas: Quantity.optional(),
  maxPriorityFeePerGas: Quantity.optional(),
  accessList: z.array(Storage).max(256).optional(),
  authorizationList: z.array(Authorization).max(64).optional(),
  feeCurrency: z.string().max(42).optional(),
  nonceKey: Quantity.optional(),
});
const Transaction = z.strictObject({
  kind: z.literal('Transaction'),
  transaction: z.union([
    z
      .string()
      .min(2)
      .max(65_536)
      .regex(/^(0x)?[A-Za-z0-9+/]+={0,2}$/, 'must be hexadecimal, or base64')
      .describe('Unsigned and serialized; on Solana base64 too, and with the signatures of others'),
    EvmTransaction,
  ]),
  ...shared,
});

const Psbt = z.strictObject({ kind: z.literal('Psbt'), psbt: PsbtHex, ...shared });
const Bip322 = z.strictObject({
  kind: z.literal('Bip322'),
  message: Hex,
  // Not a default of the schema: the request that is kept has to be the text that was signed.
  format: z.enum(['Simple', 'Full']).optional().meta({ default: 'Simple' }),
  ...shared,
});

const SmartAccount = z
  .strictObject({
    kind: z.literal('SvcSmartAccountTransaction'),
    structured: z.strictObject({
      address: z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hexadecimal digits'),
      userOperations: UserOperations,
      message: z.strictObject(typedData),
      authorization: z.strictObject(authorization).optional(),
    }),
    signatures: z
      .strictObject({})
      .optional()
      .describe('Empty: what is signed is in the answer, first the message and then the authorization'),
    transactionReference: z
      .string()
      .min(1)
      .max(REFERENCE_CHARS_MAX)
      .optional()
      .describe('Kept with the request and of no effect: whoever asks for the signature sends the transaction'),
    ...shared,
  })
  .meta({
    id: 'SignSvcSmartAccountTransaction',
    description:
      "Calls of the key's own account on an EVM network, each judged by the policies. `message` has to commit to exactly these calls: as a batch that the account " +
      'verifies, or as an operation of the entry point 0.8 that costs it nothing (docs/signatures.md).',
    examples: [SMART_ACCOUNT_EXAMPLE],
  });

const kinds = [
  Hash.meta({ id: 'SignHash' }),
  Message.meta({ id: 'SignMessage' }),
  Transaction.meta({ id: 'SignTransaction' }),
  Eip191.meta({ id: 'SignEip191' }),
  Eip712.meta({ id: 'SignEip712' }),
  Eip7702.meta({ id: 'SignEip7702' }),
  Psbt.meta({ id: 'SignPsbt' }),
  Bip322.meta({ id: 'SignBip322' }),
] as const;
/** What can be signed here; kinds of other families come with their codecs. */
export const WalletSignatureBody = z.discriminatedUnion('kind', kinds).meta({ id: 'WalletSignatureBody' });
/** The same by the path of the key, which has a kind more. */
export const SignatureBody = z.discriminatedUnion('kind', [...kinds, SmartAccount]).meta({ id: 'SignatureBody' });
