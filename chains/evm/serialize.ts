import { serializeTransaction } from 'viem/utils';
import { invariant } from '../../domain/errors';
import { inSlot } from '../../domain/slots';
import type { EvmCall } from '../../domain/transactions';
import type { TransferIntent } from '../types';
import { asHex, callOf, type Hex } from './call';
import type { EvmNetwork, EvmTransferForm, FeeTerms } from './types';
import { variantOf } from './variants';

export const serializeTransfer = (
  network: EvmNetwork,
  intent: TransferIntent,
  nonce: number,
  fees: FeeTerms,
  form: EvmTransferForm = {},
): Hex => variantOf(network).serialize.transfer({ nonce, call: callOf(intent), fees, form });

export function serializeCall(network: EvmNetwork, call: EvmCall, nonce: number, fees: FeeTerms): Hex {
  const { gas, maxFeePerGas, maxPriorityFeePerGas } = fees;
  const { chainId } = network;
  const base = { chainId, nonce, gas, to: asHex(call.to), value: BigInt(call.valueUnits), data: asHex(call.dataHex) };
  const accessList = call.accessList.map(({ address, storageKeys }) => ({
    address: asHex(address),
    storageKeys: storageKeys.map(asHex),
  }));
  const prices = { maxFeePerGas, maxPriorityFeePerGas };
  switch (call.type) {
    case 0:
      return serializeTransaction({ ...base, type: 'legacy', gasPrice: maxFeePerGas });
    case 1:
      return serializeTransaction({ ...base, type: 'eip2930', gasPrice: maxFeePerGas, accessList });
    case 2:
      return serializeTransaction({ ...base, type: 'eip1559', ...prices, accessList });
    case 4: {
      const authorizationList = call.authorizationList.map(({ address, r, s, ...one }) => ({
        ...one,
        address: asHex(address),
        r: asHex(r),
        s: asHex(s),
      }));
      return serializeTransaction({ ...base, type: 'eip7702', ...prices, accessList, authorizationList });
    }
    default: {
      const own = inSlot(variantOf(network).serialize.ownType);
      invariant(own.type === call.type, 'the type belongs to this network');
      return own.serialize(call, nonce, fees);
    }
  }
}
