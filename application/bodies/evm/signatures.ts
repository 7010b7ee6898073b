import { z } from 'zod';
import { SIGNATURE_MEMBERS } from '../signature-members';
import { SMART_ACCOUNT_EXAMPLE } from './smart-account-example';
import { UserOperations } from './transaction-members';

const TYPES_MAX = 64;
const FIELDS_MAX = 128;
const NAME_CHARS_MAX = 128;
const TEXT_CHARS_MAX = 32 * 1024;
const NONCE_MAX = 2 ** 31 - 1;
const REFERENCE_CHARS_MAX = 256;

const Address = z.string().regex(/^(0x)?[0-9a-fA-F]{40}$/, 'must be 40 hexadecimal digits');
const Quantity = z.union([z.string().min(1).max(80), z.int().nonnegative()]);

const Eip191 = z.strictObject({ kind: z.literal('Eip191'), message: z.string().max(TEXT_CHARS_MAX), ...SIGNATURE_MEMBERS });

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
const Eip712 = z.strictObject({ ...typedData, ...SIGNATURE_MEMBERS });

const authorization = {
  kind: z.literal('Eip7702'),
  address: Address,
  nonce: z.int().nonnegative().max(NONCE_MAX),
  chainId: z.int().nonnegative(),
};
const Eip7702 = z.strictObject({ ...authorization, ...SIGNATURE_MEMBERS });

const Storage = z.strictObject({ address: z.string().max(42), storageKeys: z.array(z.string().max(66)).max(512) });
const Authorization = z.strictObject({
  chainId: Quantity,
  address: z.string().max(42),
  nonce: Quantity,
  yParity: Quantity,
  r: z.string().max(66),
  s: z.string().max(66),
});
/** An EVM transaction by its members; the network decides which of them go with which type. */
export const SignableEvmTransaction = z.strictObject({
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
      .describe('Empty: the response has the signatures, first over the message and then over the authorization'),
    transactionReference: z
      .string()
      .min(1)
      .max(REFERENCE_CHARS_MAX)
      .optional()
      .describe('Stored with the request, without effect: the caller who requests the signature sends the transaction'),
    ...SIGNATURE_MEMBERS,
  })
  .meta({
    id: 'SignSvcSmartAccountTransaction',
    description:
      "Calls of the key's own account on an EVM network, each judged by the policies. `message` has to commit to exactly these calls: as a batch that the account " +
      'verifies, or as an operation of the entry point 0.8 that costs it nothing (docs/signatures.md).',
    examples: [SMART_ACCOUNT_EXAMPLE],
  });

export const EVM_SIGNATURES = [
  Eip191.meta({ id: 'SignEip191' }),
  Eip712.meta({ id: 'SignEip712' }),
  Eip7702.meta({ id: 'SignEip7702' }),
] as const;
/** Kinds that only the key's path takes. */
export const EVM_KEY_SIGNATURES = [SmartAccount] as const;
