import { z } from 'zod';
import { SIGNATURE_MEMBERS } from '../signature-members';
import { SMART_ACCOUNT_EXAMPLE } from './smart-account-example';
import { EVM_SAYS, UserOperations } from './transaction-members';

const TYPES_MAX = 64;
const FIELDS_MAX = 128;
const NAME_CHARS_MAX = 128;
const TEXT_CHARS_MAX = 32 * 1024;
const NONCE_MAX = 2 ** 31 - 1;
const REFERENCE_CHARS_MAX = 256;

const Address = z.string().regex(/^(0x)?[0-9a-fA-F]{40}$/, 'must be 40 hexadecimal digits');
const Quantity = z.union([z.string().min(1).max(80), z.int().nonnegative()]).describe('A number, decimal digits or 0x-hex');

const Eip191 = z.strictObject({
  kind: z.literal('Eip191'),
  message: z
    .string()
    .max(TEXT_CHARS_MAX)
    .describe(
      'At most 32 KiB. 0x and two hexadecimal digits per byte are read as bytes, anything else as text. Hexadecimal digits without ' +
        '0x, or an odd number of digits after 0x, are refused as ambiguous. A transaction is refused too',
    ),
  ...SIGNATURE_MEMBERS,
});

const FieldName = z.string().min(1).max(NAME_CHARS_MAX);
const Fields = z.array(z.strictObject({ name: FieldName, type: FieldName })).max(FIELDS_MAX);
const typedData = {
  kind: z.literal('Eip712'),
  types: z
    .record(FieldName, Fields)
    .refine((types) => Object.keys(types).length <= TYPES_MAX, `must be at most ${TYPES_MAX} types`)
    .meta({
      id: 'Eip712Types',
      description: 'At most 64 types by name, each with its fields; the primary type is the one to which no other type refers',
    }),
  domain: z
    .strictObject({
      name: z.string().max(TEXT_CHARS_MAX).optional(),
      version: z.string().max(TEXT_CHARS_MAX).optional(),
      chainId: z
        .union([z.int().positive(), z.string().regex(/^\d{1,78}$/, 'must be digits')])
        .optional()
        .describe(
          'The chain of a network enabled here. Without `chainId` the data is valid on every chain, and is signed only if the signer ' +
            'is configured to allow such data',
        ),
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
  message: z
    .record(z.string(), z.unknown())
    .describe('The data of the primary type; at most 64 KiB as JSON with its types and its domain'),
};
const Eip712 = z.strictObject({ ...typedData, ...SIGNATURE_MEMBERS });

const authorization = {
  kind: z.literal('Eip7702'),
  address: Address.describe('The contract whose code the account of the key runs'),
  nonce: z.int().nonnegative().max(NONCE_MAX).describe('Nonce of the account'),
  chainId: z
    .int()
    .nonnegative()
    .describe('The chain of a network enabled here; 0 is refused, because the authorization would be valid on every chain'),
};
const Eip7702 = z.strictObject({ ...authorization, ...SIGNATURE_MEMBERS });

const Storage = z.strictObject({
  address: z.string().max(42).describe('Address of a contract'),
  storageKeys: z.array(z.string().max(66)).max(512).describe('Words of 32 bytes as 0x-hex'),
});
const Authorization = z.strictObject({
  chainId: Quantity,
  address: z.string().max(42).describe('The contract whose code the account runs'),
  nonce: Quantity.describe('Nonce of the account that signed the authorization'),
  yParity: Quantity.describe('0 or 1'),
  r: z.string().max(66).describe('32 bytes as 0x-hex'),
  s: z.string().max(66).describe('32 bytes as 0x-hex'),
});
/** The network decides which members go with which type. */
export const SignableEvmTransaction = z.strictObject({
  type: Quantity.optional().describe(EVM_SAYS.type),
  chainId: Quantity.optional().describe('Chain of the network; specifies the network if `network` is absent'),
  from: z.string().max(42).optional().describe('Must be the address of the key'),
  to: z.string().max(42).nullish().describe(EVM_SAYS.to),
  value: Quantity.optional().describe(EVM_SAYS.value),
  data: z.string().max(65_536).optional().describe(EVM_SAYS.data),
  nonce: Quantity.optional().describe(EVM_SAYS.nonce),
  gasLimit: Quantity.optional().describe(EVM_SAYS.gasLimit),
  gasPrice: Quantity.optional().describe(EVM_SAYS.gasPrice),
  maxFeePerGas: Quantity.optional().describe(EVM_SAYS.maxFeePerGas),
  maxPriorityFeePerGas: Quantity.optional().describe(EVM_SAYS.maxPriorityFeePerGas),
  accessList: z.array(Storage).max(256).optional().describe(EVM_SAYS.accessList),
  authorizationList: z.array(Authorization).max(64).optional().describe(EVM_SAYS.authorizationList),
  feeCurrency: z.string().max(42).optional().describe(EVM_SAYS.feeCurrency),
  nonceKey: Quantity.optional().describe(EVM_SAYS.nonceKey),
});

const SmartAccount = z
  .strictObject({
    kind: z.literal('SvcSmartAccountTransaction'),
    structured: z
      .strictObject({
        address: z
          .string()
          .regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hexadecimal digits')
          .describe('Must be the address of the key'),
        userOperations: UserOperations,
        message: z.strictObject(typedData).describe('Typed data that commits to exactly these calls, in this order'),
        authorization: z
          .strictObject(authorization)
          .optional()
          .describe(
            'If given, the authorization is signed too. It must contain the same chain id and the code `Simple7702Account` 0.8.0',
          ),
      })
      .describe('The calls, and the message that commits to them'),
    signatures: z
      .strictObject({})
      .optional()
      .describe('Must be empty: the response contains the signatures, first over the message and then over the authorization'),
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
      "Calls of the key's own account on an EVM network, each judged by the policies. `message` has to commit to exactly these " +
      'calls: as a batch that the account verifies, or as an operation of the entry point 0.8 that costs the account ' +
      'nothing (docs/signatures.md).',
    examples: [SMART_ACCOUNT_EXAMPLE],
  });

export const EVM_SIGNATURES = [
  Eip191.meta({ id: 'SignEip191' }),
  Eip712.meta({ id: 'SignEip712' }),
  Eip7702.meta({ id: 'SignEip7702' }),
] as const;
/** The operation that signs with a key accepts these kinds, and the operation that signs with a wallet refuses them. */
export const EVM_KEY_SIGNATURES = [SmartAccount] as const;
