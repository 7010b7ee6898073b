import { z } from 'zod';
import { NETWORK_NAMES } from '../../../domain/networks';
import { coverageMembers } from '../../backfill-schemas';

export const WalletBackfill = z
  .object({ walletId: z.string(), network: z.enum(NETWORK_NAMES), ...coverageMembers })
  .meta({ id: 'WalletBackfill' });
