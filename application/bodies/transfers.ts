import { z } from 'zod';
import { isAmount } from '../../domain/amounts';
import { TravelRulePayload } from './travel-rules';

/** Which form it has is the network's affair: its codec reads it. */
const Address = z.string().min(1).max(128);

export const Amount = z
  .string()
  .refine(isAmount, 'must be a whole number of smallest units: digits only, no leading zero, at most 2^256 - 1')
  .meta({ pattern: '^(0|[1-9][0-9]{0,77})$', description: 'Whole number of smallest units of the asset' });

const TokenId = z
  .string()
  .refine(isAmount, 'must be the number of a token: digits only, no leading zero, at most 2^256 - 1')
  .meta({ pattern: '^(0|[1-9][0-9]{0,77})$', description: 'Number of the token in its contract' });

const moved = {
  to: Address,
  priority: z.enum(['Slow', 'Standard', 'Fast']).optional(),
  externalId: z.string().min(1).max(50).optional(),
  travelRule: TravelRulePayload.optional(),
};
const FeeSponsorId = z
  .string()
  .min(1)
  .max(50)
  .meta({ description: 'Who pays the fee in place of the wallet: Solana, and EVM networks with the contracts of ERC-4337' });
const Memo = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-zA-Z0-9]+$/, 'must be letters and digits')
  .meta({ description: 'Kept in the transaction, for everybody to read: Solana' });
const UseDurableNonce = z
  .boolean()
  .meta({ description: 'The signed transaction stays valid until a nonce account of the wallet is advanced: Solana' });
/** A transfer of zero moves nothing, costs its fee, and meets no limit: it serves no caller that did not mistake the amount. */
const PositiveAmount = Amount.refine(
  (amount) => amount !== '0',
  'must be more than zero: a transfer of nothing only costs its fee',
).meta({
  pattern: '^[1-9][0-9]{0,77}$',
  description: 'Whole number of smallest units of the asset, more than zero',
});
const shared = { ...moved, amount: PositiveAmount };

export const TransferBody = z
  .discriminatedUnion('kind', [
    z
      .strictObject({
        kind: z.literal('Native'),
        ...shared,
        memo: Memo.optional(),
        createDestinationAccount: z.boolean().optional(),
        useDurableNonce: UseDurableNonce.optional(),
        feeSponsorId: FeeSponsorId.optional(),
      })
      .meta({ id: 'TransferNative' }),
    z
      .strictObject({ kind: z.literal('Erc20'), contract: Address, ...shared, feeSponsorId: FeeSponsorId.optional() })
      .meta({ id: 'TransferErc20' }),
    z
      .strictObject({
        kind: z.literal('Erc7984'),
        contract: Address,
        ...shared,
        amount: Amount.meta({
          description: 'As for other tokens, or 0: on chain nobody can tell such a transfer from any other',
        }),
        feeSponsorId: FeeSponsorId.optional(),
      })
      .meta({ id: 'TransferErc7984' }),
    z
      .strictObject({
        kind: z.literal('Erc721'),
        contract: Address,
        tokenId: TokenId,
        ...moved,
        feeSponsorId: FeeSponsorId.optional(),
      })
      .meta({ id: 'TransferErc721' }),
    z
      .strictObject({
        kind: z.enum(['Spl', 'Spl2022']),
        mint: Address,
        ...shared,
        memo: Memo.optional(),
        createDestinationAccount: z
          .boolean()
          .optional()
          .meta({ description: 'Makes the account that the recipient keeps this token in, and pays for it' }),
        useDurableNonce: UseDurableNonce.optional(),
        feeSponsorId: FeeSponsorId.optional(),
      })
      .meta({ id: 'TransferSplOrSpl2022' }),
  ])
  .meta({ id: 'TransferBody' });
