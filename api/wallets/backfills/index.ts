import type { Operation } from '../../http/operation';
import { backfillWalletHistory } from './backfill-wallet-history';
import { getWalletBackfill } from './get-wallet-backfill';

export const backfillOperations: readonly Operation[] = [backfillWalletHistory, getWalletBackfill];
