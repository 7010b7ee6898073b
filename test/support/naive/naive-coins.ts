import type { TestCoinChain } from '../coin-chain';
import type { NaiveMovement } from './naive-movement';
import { publicForm, unitsOf } from './random-coin-chain';

type Output = { readonly n: number; readonly value: number; readonly scriptPubKey: { readonly address?: string } };
type Transaction = {
  readonly txid: string;
  readonly vin: readonly { readonly txid?: string; readonly vout?: number }[];
  readonly vout: readonly Output[];
};
type Block = { readonly hash: string; readonly time: number; readonly tx: readonly Transaction[] };
type Part = { readonly address: string; readonly amount: bigint };

const sum = (parts: readonly Part[]) => parts.reduce((all, { amount }) => all + amount, 0n);
const names = (parts: readonly Part[]) => [...new Set(parts.map(({ address }) => address).filter((one) => one !== ''))];

/** The effect of the transaction on one address. */
function sideOf(address: string, inputs: readonly Part[], outputs: readonly Part[]) {
  const [spent, received] = [inputs, outputs].map((parts) => parts.filter((part) => part.address === address)) as [
    Part[],
    Part[],
  ];
  const others = outputs.filter((part) => part.address !== address);
  const froms = names(inputs);
  const into = { direction: 'In' as const, from: froms.join(' '), to: address, fee: '' };
  if (spent.length === 0) return { ...into, amount: String(sum(received)) };
  const tos = names(others);
  const out = { direction: 'Out' as const, from: froms.join(' '), to: tos.length === 0 ? address : tos.join(' ') };
  if (spent.length === inputs.length) return { ...out, amount: String(sum(others)), fee: String(sum(inputs) - sum(outputs)) };
  const loss = sum(spent) - sum(received);
  return loss < 0n ? { ...into, amount: String(-loss) } : { ...out, amount: String(loss), fee: '' };
}

const EMPTY = { kind: 'UtxoTransfer', contract: '', tokenId: '', logIndex: '', isReverted: false };

/** Asks the node for the block and for each transaction that the block spends from, and stores nothing. */
export async function naiveCoinMovements(
  chain: TestCoinChain,
  height: number,
  prefix: string,
  watched: readonly string[],
): Promise<NaiveMovement[]> {
  const { hash, time, tx } = await chain.call<Block>('getblock', await chain.call<string>('getblockhash', height), 2);
  const partOf = ({ value, scriptPubKey }: Output): Part => ({
    address: publicForm(scriptPubKey.address ?? '', prefix),
    amount: unitsOf(value),
  });
  const found: NaiveMovement[] = [];
  for (const { txid, vin, vout } of tx) {
    const inputs: Part[] = [];
    for (const { txid: previous, vout: at } of vin) {
      if (previous === undefined) continue;
      const { vout: made } = await chain.call<Transaction>('getrawtransaction', previous, 1);
      inputs.push(partOf(made.find(({ n }) => n === at) as Output));
    }
    const outputs = vout.map(partOf);
    for (const address of names([...inputs, ...outputs].filter(({ amount }) => amount > 0n))) {
      if (!watched.includes(address)) continue;
      const where = { address, height, blockHash: hash, date: new Date(time * 1_000).toISOString(), txHash: txid };
      found.push({ ...EMPTY, ...where, ...sideOf(address, inputs, outputs) });
    }
  }
  return found;
}
