import { z } from 'zod';
import { isAmount } from '../../domain/amounts';
import { TravelRulePayload } from './travel-rules';

/** The codec of the network checks the form of the address. */
export const TransferAddress = z.string().min(1).max(128).describe('An address of the network');

export const Amount = z
  .string()
  .refine(isAmount, 'must be a whole number of smallest units: digits only, no leading zero, at most 2^256 - 1')
  .meta({ pattern: '^(0|[1-9][0-9]{0,77})$', description: 'Whole number of smallest units of the asset' });

export const MOVED = {
  to: TransferAddress.describe('Address of the recipient on the network of the wallet'),
  priority: z.enum(['Slow', 'Standard', 'Fast']).optional().describe('Sets the fee; `Standard` by default'),
  externalId: z
    .string()
    .min(1)
    .max(50)
    .optional()
    .describe(
      'Makes the call idempotent; unique among the transfers of the organisation. The organisation can require it (setting `externalIdRequired`)',
    ),
  travelRule: TravelRulePayload.optional().describe('Originator and beneficiary of the payment, for policies with a travel rule'),
};
export const FeeSponsorId = z.string().min(1).max(50).meta({
  description: 'The fee sponsor that pays instead of the wallet: on Solana, and on EVM networks with the contracts of ERC-4337',
});
export const Memo = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-zA-Z0-9]+$/, 'must be letters and digits')
  .meta({ description: 'Solana: stored in the transaction, where it is public' });
export const UseDurableNonce = z
  .boolean()
  .meta({ description: 'Solana: the signed transaction stays valid until a nonce account of the wallet is advanced' });
/** A zero amount costs a fee and stays below every limit of the policies. */
const PositiveAmount = Amount.refine(
  (amount) => amount !== '0',
  'must be more than zero: a transfer of nothing only costs its fee',
).meta({
  pattern: '^[1-9][0-9]{0,77}$',
  description: 'Whole number of smallest units of the asset, more than zero',
});
export const AMOUNT_MOVED = { ...MOVED, amount: PositiveAmount };
