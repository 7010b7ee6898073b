import { callFunction } from './call-function';
import { getFees } from './get-fees';
import { listNetworks } from './list-networks';

export const networkOperations = [listNetworks, getFees, callFunction];
