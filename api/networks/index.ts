import { callFunction } from './call-function';
import { getFees } from './get-fees';
import { getNetworkScan } from './get-network-scan';
import { listNetworks } from './list-networks';

export const networkOperations = [listNetworks, getFees, callFunction, getNetworkScan];
