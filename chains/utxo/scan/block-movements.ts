import type { ChainMovement } from '../../../domain/movements';
import type { BlockContents, ChainSignature, CoinLookup } from '../../types';
import { addressOfScript } from '../decoder-scripts';
import type { UtxoNetwork } from '../types';
import { signatureOfInput } from './input-signatures';
import { paysReward, type RawInput, type RawOutput, type RawTransaction } from './raw-transaction';
import { type Part, sidesOf } from './transaction-sides';
import { lockingScript, plainOf } from './watched-scripts';
import { commitsToWitnesses } from './witness-commitment';

export type Outputs = readonly RawOutput[];
export type Sources = {
  readonly network: UtxoNetwork;
  readonly isWatched: (plain: string) => boolean;
  readonly coinsOf: CoinLookup;
  /** The outputs of transactions by id. Leaves out a transaction that no node returns. */
  readonly outputsOf: (txids: readonly string[]) => Promise<ReadonlyMap<string, Outputs>>;
};

/**
 * The place of a movement is its position in the block. Each transaction gets this many places, which is more than the number of
 * movements in any transaction.
 */
const PLACES_PER_TRANSACTION = 1_000_000;
/** The senders of a transaction with more inputs are not looked up: a stranger could make each block cost thousands of calls. */
const INPUTS_LOOKED_UP_MAX = 100;

/**
 * The movements of watched addresses, in block order. An input names a coin, but not an address. The coins of watched addresses
 * are known, because the blocks that created them were read. The coins of others are looked up only in transactions that move
 * something of a watched address. A spent coin of a watched address shows that the key of the address has signed.
 */
export async function contentsOf(transactions: readonly RawTransaction[], sources: Sources): Promise<BlockContents> {
  const inBlock = new Map<string, Outputs>(transactions.map(({ txid, outputs }) => [txid, outputs]));
  const isElsewhere = ({ txid }: RawInput) => !inBlock.has(txid);
  const coins = await sources.coinsOf(idsOf(transactions.flatMap(spends).filter(isElsewhere)));
  const isOwn = ({ txid, vout }: RawInput): boolean => {
    const output = inBlock.get(txid)?.[vout];
    return output ? isWatchedOutput(output, sources) : coins.has(`${txid}:${vout}`);
  };
  const hits = [...transactions.entries()].filter(
    ([, tx]) => tx.outputs.some((output) => isWatchedOutput(output, sources)) || spends(tx).some(isOwn),
  );
  const asked = hits.map(([, tx]) => spends(tx)).filter(({ length }) => length <= INPUTS_LOOKED_UP_MAX);
  const elsewhere = await sources.outputsOf(idsOf(asked.flat().filter((input) => isElsewhere(input) && !isOwn(input))));
  const spentBy = ({ txid, vout }: RawInput): Part | undefined => {
    const coin = coins.get(`${txid}:${vout}`);
    const output = (inBlock.get(txid) ?? elsewhere.get(txid))?.[vout];
    return coin ? { ...coin, isWatched: true } : output && partOf(output, sources);
  };
  const signatures = hits.flatMap(([, tx]) =>
    spends(tx).flatMap((input, at) => signatureBy(spentBy(input), tx, at, transactions)),
  );
  const movements = hits.flatMap(([index, tx]): ChainMovement[] => {
    const outputs = tx.outputs.map((output) => partOf(output, sources));
    return sidesOf({ inputs: spends(tx).map(spentBy), outputs }).map((side, at) => ({
      ...side,
      ...{ kind: 'UtxoTransfer' as const, txHash: tx.txid, ordinal: 'value', place: index * PLACES_PER_TRANSACTION + at },
    }));
  });
  return { movements, signatures };
}

/** The id of a transaction covers its scripts, and only the commitment in the block covers its witnesses. */
function signatureBy(
  spent: Part | undefined,
  tx: RawTransaction,
  index: number,
  transactions: readonly RawTransaction[],
): ChainSignature[] {
  const words = spent?.isWatched ? signatureOfInput(tx, index) : undefined;
  if (!words || spent?.address === undefined) return [];
  const isGenuine = async () => tx.witnesses.length === 0 || commitsToWitnesses(transactions);
  return [{ address: spent.address, txHash: tx.txid, ...words, isGenuine }];
}

const spends = (tx: RawTransaction): readonly RawInput[] => (paysReward(tx) ? [] : tx.inputs);
const idsOf = (inputs: readonly RawInput[]): string[] => [...new Set(inputs.map(({ txid }) => txid))];

function isWatchedOutput({ script }: RawOutput, { network, isWatched }: Sources): boolean {
  const plain = plainOf(lockingScript(network, script));
  return plain !== undefined && isWatched(plain);
}

const partOf = (output: RawOutput, sources: Sources): Part => ({
  address: addressOfScript(sources.network, lockingScript(sources.network, output.script)),
  amountUnits: output.amountUnits,
  isWatched: isWatchedOutput(output, sources),
});
