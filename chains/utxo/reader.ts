import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../domain/errors';
import type { FeePriority } from '../../domain/transfers';
import { NodesDisagree } from '../rpc/quorum';
import { type Rpc, RpcError } from '../rpc/rpc';
import { Coins, Height, Hex, neverRefused, UtxoHash, unlessUnknown } from './rpc-schemas';
import type { Coin, FeeRate, UnspentCoin, UtxoCodec, UtxoNetwork, UtxoReader } from './types';

/** What addresses carry in the node's wallet once everything that ever came to them is known there. */
const LABEL = 'strongroom';
/** How long a question waits for a node to read its whole chain for a new address; the node goes on behind it. */
const SCANNED_WITHIN_MS = 5_000;
const SINCE_THE_FIRST_BLOCK = 0;
const CONFIRMATIONS_MAX = 9_999_999;
const PREVIOUS_AT_ONCE = 16;
const IN_A_BLOCK = 1;

/** Within how many blocks a transaction of this priority should be in one. */
const HORIZONS: Readonly<Record<FeePriority, number>> = { Slow: 12, Standard: 6, Fast: 2 };

const ScriptReply = z.object({ address: z.string().optional(), addresses: z.array(z.string()).optional() });
const Label = z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]);
const AddressReply = z.object({ labels: z.array(Label) });
const WalletReply = z.object({ descriptors: z.boolean().optional() });
const DescriptorReply = z.object({ descriptor: z.string() });
const ImportReply = z.array(z.object({ success: z.boolean() }));
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
/** `fee` is only there for a transaction that spends coins of the wallet's; `confirmations` are negative for one whose coins another one spends in a block. */
const TransactionReply = z.object({ txid: UtxoHash, hex: Hex, fee: Coins.optional(), confirmations: z.int() });
/** Older nodes, Dogecoin's among them, write the fees of relatives beside the others, in units. */
const FeesReply = z.union([
  z.object({ fees: z.object({ descendant: Coins, ancestor: Coins }) }).transform(({ fees }) => fees),
  z
    .object({ descendantfees: z.int().min(0).transform(BigInt), ancestorfees: z.int().min(0).transform(BigInt) })
    .transform(({ descendantfees, ancestorfees }) => ({ descendant: descendantfees, ancestor: ancestorfees })),
]);
const WaitingReply = z.object({ descendantcount: z.int().min(1), ancestorsize: z.int().min(1) }).and(FeesReply);
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
const EstimateReply = z.object({ feerate: Coins.optional() });
/** JSON-RPC 2.0: there is no such method. */
const UNKNOWN_METHOD = -32_601;
const PoolReply = z.object({ mempoolminfee: Coins });

const greater = (one: bigint, other: bigint): bigint => (one < other ? other : one);

type Parts = {
  readonly network: UtxoNetwork;
  readonly codec: Pick<UtxoCodec, 'scriptOf'>;
  readonly rpc: Rpc;
  /** The same nodes with all the time they need. */
  readonly patientRpc: Rpc;
};

/**
 * Reads of one network of the Bitcoin family through the watch-only wallet of its node.
 *
 * The wallet answers from its own index in milliseconds and knows unconfirmed change. `scantxoutset` needs no wallet, but reads every coin
 * there is at each question, one question at a time, and sees nothing that waits for a block. Addresses go to the node as scripts, and come
 * back in whatever form the node gives them.
 */
export function createUtxoReader({ network, codec, rpc, patientRpc }: Parts): UtxoReader {
  const { name } = network;
  const ask = neverRefused(name, rpc);
  const askPatiently = neverRefused(name, patientRpc);
  const find = unlessUnknown(name, rpc);
  const nodeAddresses = new Map<string, string>();
  const scans = new Map<string, Promise<void>>();

  const trouble = (message: string) => new AppError('NetworkUnavailable', message, { network: name });

  const nodeAddressOf = async (scriptHex: string): Promise<string> => {
    const known = nodeAddresses.get(scriptHex);
    if (known !== undefined) return known;
    const { address, addresses } = await ask('decodescript', [scriptHex], ScriptReply);
    const found = address ?? addresses?.[0];
    if (found === undefined) throw trouble(`The node of ${name} has no address for a script of ours`);
    nodeAddresses.set(scriptHex, found);
    return found;
  };

  /** The label comes last: an address whose scan was cut short is scanned again, and never answered for with half of its coins. */
  const scan = async (scriptHex: string, nodeAddress: string): Promise<void> => {
    const { descriptors } = await ask('getwalletinfo', [], WalletReply);
    const since = { timestamp: SINCE_THE_FIRST_BLOCK };
    const imported = descriptors
      ? await askPatiently(
          'importdescriptors',
          [[{ desc: (await ask('getdescriptorinfo', [`raw(${scriptHex})`], DescriptorReply)).descriptor, ...since }]],
          ImportReply,
        )
      : await askPatiently(
          'importmulti',
          [[{ scriptPubKey: scriptHex, watchonly: true, internal: false, ...since }]],
          ImportReply,
        );
    if (!imported.every(({ success }) => success)) throw trouble(`The node of ${name} does not watch an address of ours`);
    await ask('setlabel', [nodeAddress, LABEL], z.null());
  };

  const isWatched = async (nodeAddress: string): Promise<boolean> => {
    try {
      const { labels } = await ask('getaddressinfo', [nodeAddress], AddressReply);
      return labels.includes(LABEL);
    } catch (error) {
      // Of several that must agree, one does not watch it yet.
      if (error instanceof NodesDisagree) return false;
      throw error;
    }
  };

  /** The node's form of this address, which it watches by then. Asked each time, because another node may answer this time. */
  const watched = async (scriptHex: string): Promise<string> => {
    const nodeAddress = await nodeAddressOf(scriptHex);
    if (await isWatched(nodeAddress)) return nodeAddress;
    const scanning = scans.get(scriptHex) ?? scan(scriptHex, nodeAddress).finally(() => scans.delete(scriptHex));
    scans.set(scriptHex, scanning);
    scanning.catch(() => undefined); // whoever waits below hears of it
    const late = new AbortController();
    const tooLate = delay(SCANNED_WITHIN_MS, 'late', { signal: late.signal }).catch(() => undefined);
    const first = await Promise.race([scanning, tooLate]).finally(() => late.abort());
    if (first === 'late') throw trouble(`The node of ${name} still reads its chain for this address`);
    return nodeAddress;
  };

  const transaction = (txid: string) => find('gettransaction', [txid, true], TransactionReply);

  /** Nodes that keep no descriptors call no change safe that they cannot sign for, so this does not ask them what is. */
  const spentByUs = async (txids: readonly string[]): Promise<ReadonlySet<string>> => {
    const found = await Promise.all([...new Set(txids)].map(transaction));
    return new Set(found.flatMap((reply) => (reply?.fee === undefined ? [] : [reply.txid])));
  };

  const coins = async (address: string): Promise<readonly Coin[]> => {
    const scriptHex = codec.scriptOf(address);
    const nodeAddress = await watched(scriptHex);
    const unspent = await ask('listunspent', [0, CONFIRMATIONS_MAX, [nodeAddress], true], UnspentReply);
    const ours = unspent.filter(({ scriptPubKey }) => scriptPubKey === scriptHex);
    const own = await spentByUs(ours.flatMap(({ txid, confirmations }) => (confirmations === 0 ? [txid] : [])));
    return ours.map(({ txid, vout, amount, confirmations, tokenData }) => ({
      txid,
      vout,
      amountUnits: amount,
      scriptHex,
      confirmations,
      isCoinbase: false, // an immature reward is not listed, and a mature one is money like any other
      isOwnChange: confirmations === 0 && own.has(txid),
      hasToken: tokenData !== undefined,
    }));
  };

  /** Of Bitcoin Cash's nodes, where a transaction waits for no second block, the older method alone is left. */
  const estimate = async (blocks: number): Promise<bigint | undefined> => {
    try {
      return (await rpc('estimatesmartfee', [blocks], EstimateReply)).feerate;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      if (error.rpcCode !== UNKNOWN_METHOD) throw trouble(`The node of ${name} refuses estimatesmartfee: ${error.message}`);
      return ask('estimatefee', [blocks], Coins);
    }
  };

  const unspentCoin = async ({ txid, vout }: { readonly txid: string; readonly vout: number }) => {
    // With those that wait for a block: what one of them spends is gone.
    const output = await ask('gettxout', [txid, vout, true], OutputReply);
    if (output === null) return undefined;
    const { value, scriptPubKey, confirmations, coinbase, tokenData } = output;
    const hasToken = tokenData !== undefined;
    return { amountUnits: value, scriptHex: scriptPubKey.hex, confirmations, isCoinbase: coinbase, hasToken };
  };

  const feeRate = async (floor: bigint, priority: FeePriority): Promise<FeeRate> => {
    // Units per 1000 bytes are thousandths of a unit per byte.
    const rate = (await estimate(HORIZONS[priority])) ?? floor;
    return { milliUnitsPerVbyte: greater(rate, floor), blockHorizon: HORIZONS[priority] };
  };

  const feeRates: UtxoReader['feeRates'] = async () => {
    const { mempoolminfee } = await ask('getmempoolinfo', [], PoolReply);
    const floor = greater(mempoolminfee, network.feeRateFloor);
    const [Slow, Standard, Fast] = await Promise.all([
      feeRate(floor, 'Slow'),
      feeRate(floor, 'Standard'),
      feeRate(floor, 'Fast'),
    ]);
    return { Slow, Standard, Fast };
  };

  const previousTransactions: UtxoReader['previousTransactions'] = async (txids) => {
    const found = new Map<string, string>();
    const wanted = [...new Set(txids)];
    for (let at = 0; at < wanted.length; at += PREVIOUS_AT_ONCE) {
      const asked = wanted.slice(at, at + PREVIOUS_AT_ONCE);
      const replies = await Promise.all(asked.map(transaction));
      for (const [index, reply] of replies.entries()) {
        const txid = asked[index];
        if (!reply || txid === undefined) throw trouble(`The node of ${name} does not have a transaction whose coin it listed`);
        found.set(txid, reply.hex);
      }
    }
    return found;
  };

  /** Dogecoin's nodes list all addresses of the wallet and take no filter. */
  const receipts = async (nodeAddress: string) => {
    const all = [IN_A_BLOCK, false, true];
    try {
      return await rpc('listreceivedbyaddress', [...all, nodeAddress], ReceivedReply);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      return ask('listreceivedbyaddress', all, ReceivedReply);
    }
  };

  const received: UtxoReader['received'] = async (address) => {
    const scriptHex = codec.scriptOf(address);
    const nodeAddress = await watched(scriptHex);
    const txids = (await receipts(nodeAddress)).flatMap((one) => (one.address === nodeAddress ? one.txids : []));
    const found: { readonly txid: string; readonly vout: number }[] = [];
    for (const [txid, hex] of await previousTransactions(txids)) {
      const { vout } = await ask('decoderawtransaction', [hex], OutputsReply);
      for (const { n, scriptPubKey } of vout) if (scriptPubKey.hex === scriptHex) found.push({ txid, vout: n });
    }
    return found;
  };

  return {
    family: 'utxo',
    received,
    previousTransactions,
    chainId: () => ask('getblockhash', [0], UtxoHash),
    coins,

    async nativeBalance(address) {
      const ours = (await coins(address)).filter(({ confirmations, isOwnChange }) => confirmations > 0 || isOwnChange);
      return ours.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
    },

    async unspent(wanted) {
      const found: (UnspentCoin | undefined)[] = [];
      for (let at = 0; at < wanted.length; at += PREVIOUS_AT_ONCE)
        found.push(...(await Promise.all(wanted.slice(at, at + PREVIOUS_AT_ONCE).map(unspentCoin))));
      return found;
    },

    async feeEstimates() {
      const [blockNumber, tiers] = await Promise.all([ask('getblockcount', [], Height), feeRates()]);
      return { kind: 'Bitcoin', blockNumber, tiers };
    },
    feeRates,

    async standing(txid) {
      const known = await transaction(txid);
      if (known && known.confirmations !== 0) return { kind: known.confirmations > 0 ? 'Included' : 'Beaten' };
      const waiting = await find('getmempoolentry', [txid], WaitingReply);
      if (!waiting) return { kind: 'Nowhere' };
      const { descendantcount: dependents, descendant: feeUnits, ancestor, ancestorsize } = waiting;
      return { kind: 'Waiting', dependents, feeUnits, ancestry: { vbytes: BigInt(ancestorsize), feeUnits: ancestor } };
    },
  };
}
