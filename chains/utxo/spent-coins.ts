import { z } from 'zod';
import type { Rpc } from '../rpc/rpc';
import type { WhyNever } from '../types';
import { Height, UtxoHash, unlessUnknown } from './rpc-schemas';

const SPENT_ELSEWHERE =
  'A transaction that was not signed here has spent a coin, so the requested transaction was not executed. Another party may hold the key';

const Decoded = z.object({ vin: z.array(z.object({ txid: UtxoHash, vout: Height })) });
const Known = z.object({ confirmations: z.int() });
const Output = z.object({ confirmations: z.int() }).nullable();

/**
 * Returns a function that tells whether another transaction has irrevocably spent a coin of a signed transaction (S7). Every
 * node must report the coin as spent in two calls of the returned function. Between the two calls the chain must grow by the
 * number of blocks that finality takes. The second call may follow at once if every node's wallet reports a final transaction
 * that spent the coin.
 */
export function createSpentCoins(network: string, witnesses: readonly Rpc[], confirmations: number): WhyNever {
  /** The height of the head at which a coin was first found spent, by transaction id. */
  const seen = new Map<string, number>();

  return async ({ txHash, rawHex }) => {
    if (witnesses.length === 0) return undefined;
    let [lowest, buried] = [Number.POSITIVE_INFINITY, true];
    for (const witness of witnesses) {
      const find = unlessUnknown(network, witness);
      const head = (await find('getblockcount', [], Height)) ?? 0;
      const known = await find('gettransaction', [txHash, true], Known);
      const depth = known === undefined ? 0 : -known.confirmations;
      const isSpent = depth > 0 || (depth === 0 && (await isAnySpent(network, witness, rawHex, confirmations)));
      if (!isSpent) {
        seen.delete(txHash);
        return undefined;
      }
      lowest = Math.min(lowest, head);
      buried = buried && depth >= confirmations;
    }
    const before = seen.get(txHash);
    seen.set(txHash, before ?? lowest);
    if (before === undefined || !(buried || lowest >= before + confirmations)) return undefined;
    seen.delete(txHash);
    return { reason: SPENT_ELSEWHERE, isForeign: true, unspent: await unspentCoins(network, witnesses, rawHex) };
  };
}

/** The coins that every node reports as unspent. */
async function unspentCoins(network: string, witnesses: readonly Rpc[], rawHex: string): Promise<readonly string[]> {
  const told = await Promise.all(
    witnesses.map(async (witness) => {
      const find = unlessUnknown(network, witness);
      const coins = (await find('decoderawtransaction', [rawHex], Decoded))?.vin ?? [];
      const isLeft = async ({ txid, vout }: (typeof coins)[number]) =>
        ((await find('gettxout', [txid, vout, true], Output))?.confirmations ?? 0) > 0;
      const left = await Promise.all(coins.map(isLeft));
      return coins.filter((_coin, index) => left[index]).map(({ txid, vout }) => `${txid}:${vout}`);
    }),
  );
  const [first = [], ...others] = told;
  return first.filter((coin) => others.every((coins) => coins.includes(coin)));
}

/** True if a coin is missing from the unspent outputs even though the transaction that created the coin is deep in the chain. */
async function isAnySpent(network: string, witness: Rpc, rawHex: string, confirmations: number): Promise<boolean> {
  const find = unlessUnknown(network, witness);
  const decoded = await find('decoderawtransaction', [rawHex], Decoded);
  for (const { txid, vout } of decoded?.vin ?? []) {
    const parent = await find('gettransaction', [txid, true], Known);
    if (parent === undefined || parent.confirmations < confirmations) continue;
    if ((await find('gettxout', [txid, vout, false], z.unknown())) === null) return true;
  }
  return false;
}
