import { z } from 'zod';
import type { FamilySchemas } from '../family-schemas';
import { type FeeNetwork, FeeUnits, feeBlock, feeTiers } from '../fee-members';

const ABOUT_PRICE = 'In smallest units of the native asset per gas';
const Eip1559Tier = z
  .object({ maxPriorityFeePerGas: FeeUnits.describe(ABOUT_PRICE), maxFeePerGas: FeeUnits.describe(ABOUT_PRICE) })
  .meta({ id: 'Eip1559FeeTier' });

export const evmSchemas = {
  fees: (network: FeeNetwork) =>
    z
      .object({
        kind: z.literal('Eip1559'),
        network,
        blockNumber: feeBlock,
        baseFeePerGas: FeeUnits.describe(ABOUT_PRICE),
        ...feeTiers(Eip1559Tier),
      })
      .meta({ id: 'FeeEip1559' }),
  details: {
    feeCurrency: z.string().optional(),
    amountMoved: z.literal('Unknown').optional(),
    encryptedAmount: z.string().optional(),
  },
  detailsSay: [
    '`feeCurrency`: the token that pays `fee` instead of the native coin, counted in units of 10^-18 (Celo). `amountMoved`: ' +
      '`Unknown` for a token that hides amounts, because only the network can read how much a `Confirmed` transfer moved, which ' +
      'may be nothing; `encryptedAmount`: the ciphertext of the amount',
  ],
} as const satisfies FamilySchemas;
