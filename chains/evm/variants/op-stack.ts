import type { EvmNetworkOf } from '../types';
import { ethereumSlots } from './ethereum';
import { dataFeeOf } from './op-stack-data-fee';
import type { EvmVariantSlots } from './slots';

export const opStackSlots = (network: EvmNetworkOf<'opStack'>): EvmVariantSlots => {
  const { fees, ...slots } = ethereumSlots(network);
  return { ...slots, fees: { ...fees, dataFee: (ask, unsigned) => dataFeeOf(ask, network.name, unsigned) } };
};
