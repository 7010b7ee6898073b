import { z } from 'zod';
import { NETWORKS_OF } from '../domain/networks';

const Units = z.string().regex(/^\d{1,78}$/);
const tiers = <T extends z.ZodType>(tier: T) => ({ slow: tier, standard: tier, fast: tier });
const blockNumber = z.number().int();

/** Prices are smallest units per gas. */
const Eip1559Tier = z.object({ maxPriorityFeePerGas: Units, maxFeePerGas: Units }).meta({ id: 'Eip1559FeeTier' });
const BitcoinTier = z.object({
  feeRate: z
    .string()
    .regex(/^\d+(?:\.\d{1,3})?$/)
    .describe('Smallest units per virtual byte, to three decimals'),
  blockHorizon: z.number().int().describe('In how many blocks a transaction of this fee should be included'),
});
const SolanaTier = z.object({ computeUnitPrice: Units.describe('Micro-lamports per compute unit') });

export const FeeEstimates = z
  .discriminatedUnion('kind', [
    z
      .object({ kind: z.literal('Bitcoin'), network: z.enum(NETWORKS_OF.utxo), blockNumber, ...tiers(BitcoinTier) })
      .meta({ id: 'FeeBitcoin' }),
    z
      .object({
        kind: z.literal('Eip1559'),
        network: z.enum(NETWORKS_OF.evm),
        blockNumber,
        baseFeePerGas: Units,
        ...tiers(Eip1559Tier),
      })
      .meta({ id: 'FeeEip1559' }),
    z
      .object({ kind: z.literal('Solana'), network: z.enum(NETWORKS_OF.solana), blockNumber, ...tiers(SolanaTier) })
      .meta({ id: 'FeeSolana' }),
  ])
  .meta({ id: 'FeeEstimates' });
