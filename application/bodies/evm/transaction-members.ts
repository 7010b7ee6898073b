import { z } from 'zod';
import { USER_OPERATIONS_MAX } from '../../../domain/transactions';

const LIST_MAX = 256;
const DATA_CHARS_MAX = 65_536;
const Hex = z
  .string()
  .max(DATA_CHARS_MAX)
  .regex(/^(0x)?([0-9a-fA-F][0-9a-fA-F])*$/, 'must be hexadecimal digits, two per byte');
const Units = z
  .string()
  .max(78)
  .regex(/^(\d+|0x[0-9a-fA-F]*)$/, 'must be digits, or 0x and hexadecimal digits');
const Quantity = z.union([z.int().nonnegative(), Units]).describe('A number, decimal digits or 0x-hex');
const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits');
const Word = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits');

export const EVM_SAYS = {
  type: '0, 1, 2 (the default) or 4; 123 on Celo and 118 on Tempo',
  to: 'Address of the recipient or contract; required, because no contract can be created',
  value: 'Smallest units of the native asset; 0 by default',
  data: 'Hexadecimal digits; at most 16 KiB together with the two lists',
  nonce: 'By default the next free nonce',
  gasLimit: 'By default estimated by a simulation; if a limit is given, no simulation runs',
  gasPrice: 'Smallest units per gas, for the types 0 and 1; by default the current price',
  maxFeePerGas: 'The maximum in smallest units per gas; by default the current price',
  maxPriorityFeePerGas: 'Smallest units per gas for the block producer; by default the current price',
  accessList: 'For the types 1, 2 and 4',
  authorizationList: 'Signed authorizations of EIP-7702, for the type 4',
  feeCurrency: 'Address of the token that pays the fee, for the type 123 (Celo)',
  nonceKey: 'Selects one of the nonce sequences of the account, for the type 118 (Tempo); by default 0',
} as const;

export const EVM_MEMBERS = {
  to: Address.optional().describe(EVM_SAYS.to),
  value: Units.optional().describe(EVM_SAYS.value),
  data: Hex.optional().describe(EVM_SAYS.data),
  nonce: Quantity.optional().describe(EVM_SAYS.nonce),
  gasLimit: Units.optional().describe(EVM_SAYS.gasLimit),
};
export const EVM_PRICES = {
  maxFeePerGas: Units.optional().describe(EVM_SAYS.maxFeePerGas),
  maxPriorityFeePerGas: Units.optional().describe(EVM_SAYS.maxPriorityFeePerGas),
};

/** A signed authorization of EIP-7702. */
const Authorization = z.strictObject({
  chainId: Quantity,
  address: Address.describe('The contract whose code the account runs'),
  nonce: Quantity.describe(
    'Nonce of the account that signed the authorization; one more than the nonce of the transaction if the same account sends the transaction',
  ),
  yParity: Quantity.describe('0 or 1'),
  r: Word,
  s: Word,
});

export const EvmTransactionJson = z
  .strictObject({
    type: Quantity.optional().describe(EVM_SAYS.type),
    chainId: Quantity.optional().describe('Must be the chain of the network'),
    from: Address.optional().describe('Must be the address of the wallet'),
    to: Address.optional().describe(EVM_SAYS.to),
    value: Quantity.optional().describe(EVM_SAYS.value),
    data: Hex.optional().describe(EVM_SAYS.data),
    nonce: Quantity.optional().describe(EVM_SAYS.nonce),
    gasLimit: Quantity.optional().describe(EVM_SAYS.gasLimit),
    gasPrice: Quantity.optional().describe(EVM_SAYS.gasPrice),
    maxFeePerGas: Quantity.optional().describe(EVM_SAYS.maxFeePerGas),
    maxPriorityFeePerGas: Quantity.optional().describe(EVM_SAYS.maxPriorityFeePerGas),
    accessList: z
      .array(z.strictObject({ address: Address, storageKeys: z.array(Word).max(LIST_MAX) }))
      .max(LIST_MAX)
      .optional()
      .describe(EVM_SAYS.accessList),
    authorizationList: z.array(Authorization).max(LIST_MAX).optional().describe(EVM_SAYS.authorizationList),
    feeCurrency: Address.optional().describe(EVM_SAYS.feeCurrency),
    nonceKey: Quantity.optional().describe(EVM_SAYS.nonceKey),
  })
  .meta({ id: 'EvmTransaction' });

/** The members of the transaction, or its unsigned bytes as hexadecimal digits. */
export const EvmTransactionInput = z.union([Hex.min(2), EvmTransactionJson]);

const UserOperation = z
  .strictObject({
    to: z
      .string()
      .regex(/^0x[0-9a-fA-F]{40}$/)
      .describe('Address of the recipient or contract'),
    value: z
      .string()
      .regex(/^\d{1,78}$/)
      .optional()
      .describe('Smallest units of the native asset; 0 by default'),
    data: z
      .string()
      .regex(/^(?:0x)?(?:[0-9a-fA-F]{2})*$/)
      .optional()
      .describe('Hexadecimal digits; none by default'),
  })
  .meta({ id: 'UserOperation' });
export const UserOperations = z
  .array(UserOperation)
  .min(1)
  .max(USER_OPERATIONS_MAX)
  .describe('Calls that are carried out together, or not at all; at most 16 KiB together');
