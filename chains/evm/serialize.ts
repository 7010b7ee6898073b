import { serializeTransaction } from 'viem/utils';
import type { EvmCall } from '../../domain/transactions';
import type { TransferIntent } from '../types';
import { asHex, callOf, type Hex } from './call';
import { serializeTempo } from './tempo';
import type { EvmNetwork, FeeTerms } from './types';

/** A transfer in the one form in which the network takes it, which its decoder expects. */
export function serializeTransfer(network: EvmNetwork, intent: TransferIntent, nonce: number, fees: FeeTerms): Hex {
  const { chainId, feeToken } = network;
  const call = callOf(intent);
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = fees;
  if (feeToken) return serializeTempo({ chainId, nonce, call, fees, feeToken: feeToken.contract });
  if (network.isLegacy) return serializeTransaction({ type: 'legacy', chainId, nonce, ...call, gas, gasPrice: maxFeePerGas });
  return serializeTransaction({ type: 'eip1559', chainId, nonce, ...call, gas, maxFeePerGas, maxPriorityFeePerGas });
}

/** A raw transaction of type 0, 1, 2 or 4, unsigned. */
export function serializeCall({ chainId }: EvmNetwork, call: EvmCall, nonce: number, fees: FeeTerms): Hex {
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = fees;
  const base = { chainId, nonce, gas, to: asHex(call.to), value: BigInt(call.valueUnits), data: asHex(call.dataHex) };
  const accessList = call.accessList.map(({ address, storageKeys }) => ({
    address: asHex(address),
    storageKeys: storageKeys.map(asHex),
  }));
  if (call.type === 0) return serializeTransaction({ ...base, type: 'legacy', gasPrice: maxFeePerGas });
  if (call.type === 1) return serializeTransaction({ ...base, type: 'eip2930', gasPrice: maxFeePerGas, accessList });
  const prices = { maxFeePerGas, maxPriorityFeePerGas };
  if (call.type === 2) return serializeTransaction({ ...base, type: 'eip1559', ...prices, accessList });
  const authorizationList = call.authorizationList.map(({ address, r, s, ...one }) => ({
    ...one,
    address: asHex(address),
    r: asHex(r),
    s: asHex(s),
  }));
  return serializeTransaction({ ...base, type: 'eip7702', ...prices, accessList, authorizationList });
}
