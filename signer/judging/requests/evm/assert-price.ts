import { Transaction } from 'micro-eth-signer';
import type { EvmDecoder } from '../../../../chains/evm/types';
import { assertAsked } from '../signed-body';
import type { RequestTerms } from './request-terms';

type Priced = {
  readonly gasLimit: bigint;
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly maxPriorityFeePerGas?: bigint;
};

/**
 * Throws a `Refusal` unless the bytes contain the gas and the prices of the request. Transactions of types 118 and 123, which
 * only some networks have, show only the product of gas and price.
 */
export function assertPrice(bytesHex: string, { call, gas, price, tip }: RequestTerms, decoder: EvmDecoder): void {
  if (gas === undefined && price === undefined && tip === undefined) return;
  if (call.type === 118 || call.type === 123) {
    if (gas !== undefined && price !== undefined) assertAsked(decoder.decodeCall(bytesHex).maxFeeUnits === gas * price);
    return;
  }
  const raw: Priced = Transaction.fromHex(bytesHex).raw;
  assertAsked(gas === undefined || raw.gasLimit === gas);
  assertAsked(price === undefined || (raw.maxFeePerGas ?? raw.gasPrice) === price);
  assertAsked(tip === undefined || raw.maxPriorityFeePerGas === tip);
}
