import { evmDecoderOf } from '../../../chains/decoders';
import type { JudgedOrders } from '../judged-orders';
import { requireNetwork } from '../require-network';

type FeeUnits = Readonly<Record<string, bigint>>;

/**
 * The highest fee that the bytes allow. A fee in a token is also included as a fee in the native coin, because the network may
 * take the fee in either asset.
 */
export function transferFee({ network, bytesHex }: JudgedOrders['signTransfer']): FeeUnits {
  const { maxFeeUnits, call } = evmDecoderOf(requireNetwork('evm', network).name).decodeCall(bytesHex);
  const { feeCurrency } = call;
  return { native: maxFeeUnits, ...(feeCurrency === undefined ? {} : { [feeCurrency.toLowerCase()]: maxFeeUnits }) };
}

/** The highest fee of the sponsor's transaction. */
export const sponsoredFee = ({ network, bytesHex }: JudgedOrders['signSponsored']): FeeUnits => ({
  native: evmDecoderOf(requireNetwork('evm', network).name).decodeSponsored(bytesHex).maxFeeUnits,
});
