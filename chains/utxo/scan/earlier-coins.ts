import type { OutputCoin } from '../../types';
import { scriptOf, toHex } from '../addresses';
import { ByteReader, Unreadable } from '../decoder-bytes';
import type { UtxoNetwork, UtxoReader } from '../types';
import { readRawTransaction } from './raw-transaction';
import { lockingScript, plainOf } from './watched-scripts';

type Reader = Pick<UtxoReader, 'received' | 'previousTransactions'>;

/** The node's wallet lists the transactions, and their ids prove the amounts. The completeness of the list is not proved. */
export async function earlierCoins(network: UtxoNetwork, reader: Reader, address: string): Promise<OutputCoin[]> {
  const plain = toHex(scriptOf(network, address));
  const txids = (await reader.received(address)).map(({ txid }) => txid);
  const raws = await reader.previousTransactions([...new Set(txids)]);
  return [...raws].flatMap(([id, rawHex]) => {
    const { txid, outputs } = readRawTransaction(new ByteReader(Buffer.from(rawHex, 'hex')));
    if (txid !== id) throw new Unreadable('the transaction is another one');
    return outputs.flatMap(({ script, amountUnits }, vout) =>
      amountUnits > 0n && plainOf(lockingScript(network, script)) === plain ? [{ txid, vout, amountUnits }] : [],
    );
  });
}
