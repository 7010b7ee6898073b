import { serializeTransaction } from 'viem/utils';
import { invariant } from '../../../domain/errors';
import { absent } from '../../../domain/slots';
import { EVM_TRANSACTION_TYPES } from '../../../domain/transactions';
import { readFeeHistory } from '../markets';
import { buildSponsored } from '../sponsored';
import type { EvmNetwork, EvmTransferForm } from '../types';
import { coinBalance } from './fee-balances';
import type { EvmVariantSlots } from './slots';

/**
 * Throws for a fee currency or a nonce key: the network's bytes cannot express these members, and the service must not silently
 * drop a member.
 */
export function assertPlain({ feeCurrency, nonceKey = 0n }: EvmTransferForm): void {
  invariant(feeCurrency === undefined && nonceKey === 0n, 'the network has no fee currencies and no nonce keys');
}

export const ethereumSlots = (network: EvmNetwork): EvmVariantSlots => {
  const { name, chainId, tipPercentiles } = network;
  return {
    serialize: {
      transfer: ({ nonce, call, fees: { gas, maxFeePerGas, maxPriorityFeePerGas }, form }) => {
        assertPlain(form);
        return serializeTransaction({ type: 'eip1559', chainId, nonce, ...call, gas, maxFeePerGas, maxPriorityFeePerGas });
      },
      types: EVM_TRANSACTION_TYPES,
      typeUnlessNamed: 2,
      ownType: absent(`${name} has no transaction types beyond Ethereum's`),
      sponsored: (sponsored, nonce, fees) => buildSponsored(network, sponsored, nonce, fees),
    },
    fees: {
      market: (rpc) => readFeeHistory(rpc, tipPercentiles),
      balance: coinBalance,
      coin: coinBalance,
      token: absent(`${name} charges fees in its native coin`),
      currencies: absent(`${name} has no currencies for fees`),
      dataFee: absent(`${name} charges no fee for data`),
    },
    lanes: absent(`Accounts on ${name} have a single nonce`),
  };
};
