import { Transaction, type TxCoder } from 'micro-eth-signer';
import type { Call } from './decoder-transfers';

/** Reads an unsigned transaction of type 0 or 2. `opaque` lists the faults in the bytes. */
export function readTyped(bytesHex: string, type: 'legacy' | 'eip1559'): Call {
  const tx = Transaction.fromHex(bytesHex);
  if (tx.type !== type) throw new Error(`transaction type ${tx.type}`);
  const opaque: string[] = [];
  if (tx.isSigned || tx.toHex({ includeSignature: false }) !== bytesHex) opaque.push('encoding');
  if (type === 'legacy') {
    const { chainId, nonce, to, value, data, gasLimit, gasPrice } = tx.raw as TxCoder<'legacy'>;
    if (chainId === undefined) opaque.push('chain id');
    return { chainId: chainId ?? 0n, nonce, to, value, data, maxFeeUnits: gasLimit * gasPrice, opaque };
  }
  const { chainId, nonce, to, value, data, gasLimit, maxFeePerGas, accessList } = tx.raw as TxCoder<'eip1559'>;
  if (accessList.length > 0) opaque.push('access list');
  return { chainId, nonce, to, value, data, maxFeeUnits: gasLimit * maxFeePerGas, opaque };
}
