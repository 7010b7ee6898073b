import type { Operation } from '../http/operation';
import { backfillAddressWatchHistory } from './backfill-address-watch-history';
import { createAddressWatch } from './create-address-watch';
import { deleteAddressWatch } from './delete-address-watch';
import { getAddressWatch } from './get-address-watch';
import { getAddressWatchAssets } from './get-address-watch-assets';
import { getAddressWatchBackfill } from './get-address-watch-backfill';
import { getAddressWatchHistory } from './get-address-watch-history';
import { listAddressWatchBlockchainEvents } from './list-address-watch-blockchain-events';
import { listAddressWatches } from './list-address-watches';

export const addressWatchOperations: readonly Operation[] = [
  createAddressWatch,
  listAddressWatches,
  getAddressWatch,
  deleteAddressWatch,
  getAddressWatchAssets,
  getAddressWatchHistory,
  backfillAddressWatchHistory,
  getAddressWatchBackfill,
  listAddressWatchBlockchainEvents,
];
