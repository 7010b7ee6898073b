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
const Quantity = z.union([z.int().nonnegative(), Units]);
const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'must be 0x and 40 hex digits');
const Word = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hex digits');

/** Members that every way of writing an EVM transaction shares. */
export const EVM_MEMBERS = {
  to: Address.optional(),
  value: Units.optional(),
  data: Hex.optional(),
  nonce: Quantity.optional(),
  gasLimit: Units.optional(),
};
export const EVM_PRICES = { maxFeePerGas: Units.optional(), maxPriorityFeePerGas: Units.optional() };

/** The signed authorization of EIP-7702. */
const Authorization = z.strictObject({
  chainId: Quantity,
  address: Address,
  nonce: Quantity,
  yParity: Quantity,
  r: Word,
  s: Word,
});

/**
 * An EVM transaction of type 0, 1, 2 (the default) or 4 as its members; omitted members are filled in. Celo also has type 123, which names
 * the token that pays the fee in `feeCurrency`, and Tempo type 118, whose `nonceKey` selects the sender's nonce that counts.
 */
export const EvmTransactionJson = z
  .strictObject({
    type: Quantity.optional(),
    chainId: Quantity.optional(),
    from: Address.optional(),
    to: Address.optional(),
    value: Quantity.optional(),
    data: Hex.optional(),
    nonce: Quantity.optional(),
    gasLimit: Quantity.optional(),
    gasPrice: Quantity.optional(),
    maxFeePerGas: Quantity.optional(),
    maxPriorityFeePerGas: Quantity.optional(),
    accessList: z
      .array(z.strictObject({ address: Address, storageKeys: z.array(Word).max(LIST_MAX) }))
      .max(LIST_MAX)
      .optional(),
    authorizationList: z.array(Authorization).max(LIST_MAX).optional(),
    feeCurrency: Address.optional(),
    nonceKey: Quantity.optional(),
  })
  .meta({ id: 'EvmTransaction' });

/** The members, or the hex of the unsigned bytes. */
export const EvmTransactionInput = z.union([Hex.min(2), EvmTransactionJson]);

/** One of several calls that are executed together, or not at all. */
const UserOperation = z.strictObject({
  to: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  value: z
    .string()
    .regex(/^\d{1,78}$/)
    .optional()
    .describe('Smallest units of the native asset; 0 where it is left out'),
  data: z
    .string()
    .regex(/^(?:0x)?(?:[0-9a-fA-F]{2})*$/)
    .optional(),
});
export const UserOperations = z.array(UserOperation).min(1).max(USER_OPERATIONS_MAX);
