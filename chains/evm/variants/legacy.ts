import { serializeTransaction } from 'viem/utils';
import { absent } from '../../../domain/slots';
import { EVM_TRANSACTION_TYPES } from '../../../domain/transactions';
import type { FeePriority } from '../../../domain/transfers';
import { Quantity, type Rpc, SmallQuantity } from '../../rpc/rpc';
import { highest, type Markets, PRICE_PERCENT, TIP_FLOOR } from '../markets';
import type { EvmNetworkOf } from '../types';
import { assertPlain, ethereumSlots } from './ethereum';
import type { EvmVariantSlots } from './slots';

const TYPES = EVM_TRANSACTION_TYPES.filter((type) => type < 2);

/** Blocks of these networks do not set a minimum price, so the base fee is zero. */
async function readPrice(rpc: Rpc): Promise<Markets> {
  const [price, blockNumber] = await Promise.all([rpc('eth_gasPrice', [], Quantity), rpc('eth_blockNumber', [], SmallQuantity)]);
  const tipAt = (priority: FeePriority) => highest((price * PRICE_PERCENT[priority]) / 100n, TIP_FLOOR[priority]);
  return { blockNumber, at: (priority) => ({ baseFee: 0n, tip: tipAt(priority) }) };
}

export const legacySlots = (network: EvmNetworkOf<'legacy'>): EvmVariantSlots => {
  const { name, chainId } = network;
  const { serialize, fees, lanes } = ethereumSlots(network);
  return {
    serialize: {
      ...serialize,
      transfer: ({ nonce, call, fees: { gas, maxFeePerGas: gasPrice }, form }) => {
        assertPlain(form);
        return serializeTransaction({ type: 'legacy', chainId, nonce, ...call, gas, gasPrice });
      },
      types: TYPES,
      typeUnlessNamed: 0,
      sponsored: absent(`${name} has no transactions that carry an authorization (EIP-7702)`),
    },
    fees: { ...fees, market: readPrice },
    lanes,
  };
};
