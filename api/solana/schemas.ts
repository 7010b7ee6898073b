import { z } from 'zod';
import type { FamilySchemas } from '../family-schemas';
import { type FeeNetwork, FeeUnits, feeBlock, feeTiers } from '../fee-members';

const SolanaTier = z
  .object({ computeUnitPrice: FeeUnits.describe('Micro-lamports per compute unit') })
  .meta({ id: 'SolanaFeeTier' });

export const solanaSchemas = {
  fees: (network: FeeNetwork) =>
    z.object({ kind: z.literal('Solana'), network, blockNumber: feeBlock, ...feeTiers(SolanaTier) }).meta({ id: 'FeeSolana' }),
  details: { withheldUnits: z.string().optional() },
  detailsSay: ['`withheldUnits`: the part of the amount that the token withholds, so that the recipient receives less (Solana).'],
} as const satisfies FamilySchemas;
