import { serializeTransaction } from 'viem/utils';
import { invariant } from '../../domain/errors';
import { CELO_TYPE, type EvmCall, TEMPO_TYPE } from '../../domain/transactions';
import type { TransferIntent } from '../types';
import { asHex, callOf, type Hex } from './call';
import type { EvmNetwork, EvmTransferForm, FeeTerms } from './types';
import { serializeCelo } from './variants/celo-transaction';
import { serializeTempo } from './variants/tempo-transaction';

/** A transfer in the one form in which the network takes it, which its decoder expects; on Celo in one of two. */
export function serializeTransfer(
  network: EvmNetwork,
  intent: TransferIntent,
  nonce: number,
  fees: FeeTerms,
  { feeCurrency, nonceKey }: EvmTransferForm = {},
): Hex {
  const { chainId, feeToken } = network;
  const call = callOf(intent);
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = fees;
  if (feeToken)
    return serializeTempo({
      ...{ chainId, nonce, call, fees },
      feeToken: feeToken.contract,
      ...(nonceKey === undefined ? {} : { nonceKey }),
    });
  if (feeCurrency !== undefined) return serializeCelo({ chainId, nonce, call, fees, feeCurrency });
  if (network.isLegacy) return serializeTransaction({ type: 'legacy', chainId, nonce, ...call, gas, gasPrice: maxFeePerGas });
  return serializeTransaction({ type: 'eip1559', chainId, nonce, ...call, gas, maxFeePerGas, maxPriorityFeePerGas });
}

/** A raw transaction of type 0, 1, 2 or 4, or of the network's own type, unsigned. */
export function serializeCall(network: EvmNetwork, call: EvmCall, nonce: number, fees: FeeTerms): Hex {
  const { chainId, feeToken } = network;
  if (call.type === CELO_TYPE || call.type === TEMPO_TYPE) {
    const { feeCurrency, nonceKey = '0', accessList } = call;
    const members = {
      chainId,
      nonce,
      fees,
      call: { to: asHex(call.to), value: BigInt(call.valueUnits), data: asHex(call.dataHex) },
    };
    if (feeToken) return serializeTempo({ ...members, feeToken: feeToken.contract, nonceKey: BigInt(nonceKey) });
    invariant(feeCurrency !== undefined, 'a transaction of this type names what pays its fee');
    return serializeCelo({ ...members, feeCurrency, accessList });
  }
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
