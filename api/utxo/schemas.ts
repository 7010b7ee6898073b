import { z } from 'zod';
import type { FamilySchemas } from '../family-schemas';
import { type FeeNetwork, feeBlock, feeTiers } from '../fee-members';

const BitcoinTier = z
  .object({
    feeRate: z
      .string()
      .regex(/^\d+(?:\.\d{1,3})?$/)
      .describe('Smallest units per virtual byte, to three decimals'),
    blockHorizon: z.number().int().describe('The number of blocks within which a transaction with this fee should be included'),
  })
  .meta({ id: 'BitcoinFeeTier' });

export const utxoSchemas = {
  fees: (network: FeeNetwork) =>
    z.object({ kind: z.literal('Bitcoin'), network, blockNumber: feeBlock, ...feeTiers(BitcoinTier) }).meta({ id: 'FeeBitcoin' }),
  details: { paysFor: z.string().optional(), paidForBy: z.string().optional() },
  detailsSay: [
    '`paysFor`: the transaction whose change this transaction spends, with a fee that brings both into a block; `paidForBy`: ' +
      'the inverse reference.',
  ],
} as const satisfies FamilySchemas;
