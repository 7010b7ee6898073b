import { z } from 'zod';
import { type Rpc, RpcError } from '../rpc/rpc';
import { createFeeRates } from './fee-rates';
import { identifyingBlock, utxoChainId } from './identity';
import { createNodeTransactions } from './node-transactions';
import { Coins, Height, Hex, neverRefused, UtxoHash } from './rpc-schemas';
import type { Coin, UnspentCoin, UtxoCodec, UtxoNetwork, UtxoReader } from './types';
import { createWatchedAddresses } from './watched-addresses';

const CONFIRMATIONS_MAX = 9_999_999;
const OUTPUTS_AT_ONCE = 16;
const IN_A_BLOCK = 1;

const UnspentReply = z.array(
  z.object({
    txid: UtxoHash,
    vout: Height,
    scriptPubKey: Hex,
    amount: Coins,
    confirmations: z.int().min(0),
    tokenData: z.unknown().optional(),
  }),
);
const OutputReply = z
  .object({
    value: Coins,
    confirmations: z.int().min(0),
    coinbase: z.boolean(),
    scriptPubKey: z.object({ hex: Hex }),
    tokenData: z.unknown().optional(),
  })
  .nullable();
const ReceivedReply = z.array(z.object({ address: z.string(), txids: z.array(UtxoHash) }));
const OutputsReply = z.object({ vout: z.array(z.object({ n: Height, scriptPubKey: z.object({ hex: Hex }) })) });
type Output = { readonly txid: string; readonly vout: number };

type Parts = {
  readonly network: UtxoNetwork;
  readonly codec: Pick<UtxoCodec, 'scriptOf'>;
  readonly rpc: Rpc;
  /** Waits as long as the scan of a whole chain takes. */
  readonly patientRpc: Rpc;
};

async function unspentCoin(ask: Rpc, { txid, vout }: Output): Promise<UnspentCoin | undefined> {
  // A coin that a pending transaction spends is treated as spent.
  const output = await ask('gettxout', [txid, vout, true], OutputReply);
  if (output === null) return undefined;
  const { value, scriptPubKey, confirmations, coinbase, tokenData } = output;
  const hasToken = tokenData !== undefined;
  return { amountUnits: value, scriptHex: scriptPubKey.hex, confirmations, isCoinbase: coinbase, hasToken };
}

/** Nodes of Dogecoin do not accept a filter, and list all addresses of the wallet. */
async function receiptsOf(rpc: Rpc, ask: Rpc, nodeAddress: string) {
  const all = [IN_A_BLOCK, false, true];
  try {
    return await rpc('listreceivedbyaddress', [...all, nodeAddress], ReceivedReply);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return ask('listreceivedbyaddress', all, ReceivedReply);
  }
}

/**
 * The node's watch-only wallet replies from its own index in milliseconds and knows unconfirmed change. `scantxoutset` would read
 * every coin on each request and would not show pending transactions. Coins are compared by script, because nodes may write an
 * address in a different form.
 */
export function createUtxoReader({ network, codec, rpc, patientRpc }: Parts): UtxoReader {
  const { name } = network;
  const ask = neverRefused(name, rpc);
  const watched = createWatchedAddresses(name, ask, neverRefused(name, patientRpc));
  const transactions = createNodeTransactions(name, rpc);
  const feeRates = createFeeRates(network, ask, rpc);

  const coins = async (address: string): Promise<readonly Coin[]> => {
    const scriptHex = codec.scriptOf(address);
    const nodeAddress = await watched(scriptHex);
    const unspent = await ask('listunspent', [0, CONFIRMATIONS_MAX, [nodeAddress], true], UnspentReply);
    const ours = unspent.filter(({ scriptPubKey }) => scriptPubKey === scriptHex);
    const own = await transactions.spentByUs(ours.flatMap(({ txid, confirmations }) => (confirmations === 0 ? [txid] : [])));
    return ours.map(({ txid, vout, amount, confirmations, tokenData }) => ({
      txid,
      vout,
      amountUnits: amount,
      scriptHex,
      confirmations,
      isCoinbase: false, // an immature reward is not listed, and a mature reward can be spent like any coin
      isOwnChange: confirmations === 0 && own.has(txid),
      hasToken: tokenData !== undefined,
    }));
  };

  const received: UtxoReader['received'] = async (address) => {
    const scriptHex = codec.scriptOf(address);
    const nodeAddress = await watched(scriptHex);
    const txids = (await receiptsOf(rpc, ask, nodeAddress)).flatMap((one) => (one.address === nodeAddress ? one.txids : []));
    const found: Output[] = [];
    for (const [txid, hex] of await transactions.previous(txids)) {
      const { vout } = await ask('decoderawtransaction', [hex], OutputsReply);
      for (const { n, scriptPubKey } of vout) if (scriptPubKey.hex === scriptHex) found.push({ txid, vout: n });
    }
    return found;
  };

  return {
    family: 'utxo',
    received,
    previousTransactions: transactions.previous,

    async chainId() {
      const { height, hash } = identifyingBlock(network);
      const found = await ask('getblockhash', [height], UtxoHash);
      return found === hash ? utxoChainId(network) : found;
    },

    coins,

    async nativeBalance(address) {
      const ours = (await coins(address)).filter(({ confirmations, isOwnChange }) => confirmations > 0 || isOwnChange);
      return ours.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
    },

    async unspent(wanted) {
      const found: (UnspentCoin | undefined)[] = [];
      for (let at = 0; at < wanted.length; at += OUTPUTS_AT_ONCE)
        found.push(...(await Promise.all(wanted.slice(at, at + OUTPUTS_AT_ONCE).map((one) => unspentCoin(ask, one)))));
      return found;
    },

    async feeEstimates() {
      const [blockNumber, tiers] = await Promise.all([ask('getblockcount', [], Height), feeRates()]);
      return { kind: 'Bitcoin', blockNumber, tiers };
    },
    feeRates,
    standing: transactions.standing,
  };
}
