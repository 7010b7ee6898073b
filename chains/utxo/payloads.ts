import { Transaction } from '@scure/btc-signer';
import { fromHex } from './addresses';
import { LENIENT } from './build';

const reads = (read: () => Transaction): boolean => {
  try {
    const { inputsLength, outputsLength } = read();
    return inputsLength > 0 && outputsLength > 0;
  } catch {
    return false;
  }
};

/** True for a PSBT, and for a signed or unsigned transaction. */
export function isUtxoTransaction(bytesHex: string): boolean {
  const bytes = fromHex(bytesHex);
  return reads(() => Transaction.fromPSBT(bytes, LENIENT)) || reads(() => Transaction.fromRaw(bytes, LENIENT));
}
