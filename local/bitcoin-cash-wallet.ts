import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { utxoCodecOf } from '../chains/codecs';
import { utxoDecoderOf } from '../chains/decoders';
import { inFamily } from '../chains/families';
import { networkOf } from '../chains/networks';
import { createUtxoCodec } from '../chains/utxo/codec';
import type { Coin } from '../chains/utxo/types';

const NETWORK = 'BitcoinCashTestnet';
/** Anyone can read this secret key here, like the secret keys of the development accounts of the local Ethereum chain. */
const FAUCET_SECRET = new Uint8Array(32).fill(0xfa);
const FAUCET_KEY = bytesToHex(secp256k1.getPublicKey(FAUCET_SECRET));
const TRANSACTIONS_MAX = 20_000;
const MATURITY = 100;
const FEE_RATE = { milliUnitsPerVbyte: 2_000n };

const Output = z.object({
  value: z.number(),
  n: z.int(),
  scriptPubKey: z.object({ hex: z.string(), addresses: z.array(z.string()).default([]) }),
});
const Input = z.object({ coinbase: z.string().optional(), txid: z.string().optional(), vout: z.int().optional() });
const Transaction = z.object({
  txid: z.string(),
  hex: z.string(),
  vin: z.array(Input),
  vout: z.array(Output),
  confirmations: z.int().default(0),
  blockhash: z.string().optional(),
});
type Transaction = z.output<typeof Transaction>;
const Pool = z.array(z.string());

/** The node does not have the transaction, or does not have any transaction for the address. */
export class NotThere extends Error {}

type Ask = (method: string, params: readonly unknown[]) => Promise<unknown>;
type Answer = (params: readonly unknown[]) => Promise<unknown>;

/** The node writes addresses without a prefix. */
const unprefixed = (address: string): string => address.split(':').at(-1) ?? '';
const unitsOf = (coins: number) => BigInt(Math.round(coins * 1e8));

/**
 * Emulates a watch-only wallet on top of bchd, which has an index of all addresses. The requests have the same form as for
 * Bitcoin Cash Node, so the service needs no code for bchd. The wallet is also the faucet, and receives all block rewards.
 */
export class CashWallet {
  private readonly codec = utxoCodecOf(NETWORK);
  private readonly faucetAddress = this.codec.addressOf(FAUCET_KEY);
  private readonly faucetScript = this.codec.scriptOf(this.faucetAddress);
  /** The address with the prefix of the regtest network, which the node expects. */
  readonly faucet = createUtxoCodec({ ...inFamily('utxo', networkOf(NETWORK)), cashPrefix: 'bchreg' }).addressOf(FAUCET_KEY);

  constructor(private readonly ask: Ask) {}

  answers(method: string): Answer | undefined {
    return this.table[method];
  }

  private readonly table: Readonly<Record<string, Answer>> = {
    listwallets: async () => ['strongroom', 'faucet'],
    getnewaddress: async () => this.faucet,
    generatetoaddress: ([count]) => this.ask('generate', [count]),
    gettxoutsetinfo: async () => ({}),
    getmempoolinfo: async () => ({ mempoolminfee: 0.00001 }),
    getaddressinfo: async () => ({ labels: [{ name: 'strongroom', purpose: 'receive' }] }),
    listunspent: async ([, , addresses]) => this.unspent(z.tuple([z.string()]).parse(addresses)[0]),
    listreceivedbyaddress: async ([, , , address]) => this.received(z.string().parse(address)),
    gettransaction: async ([txid]) => this.known(z.string().parse(txid)),
    getmempoolentry: async ([txid]) => {
      if (Pool.parse(await this.ask('getrawmempool', [])).includes(z.string().parse(txid))) return {};
      throw new NotThere('Transaction not in mempool');
    },
    sendtoaddress: ([address, coins]) => this.pay(z.string().parse(address), unitsOf(Number(coins))),
  };

  private transaction = async (txid: string): Promise<Transaction> =>
    Transaction.parse(await this.ask('getrawtransaction', [txid, 1]));

  private async transactionsOf(address: string): Promise<readonly Transaction[]> {
    const all = await this.ask('searchrawtransactions', [address, 1, 0, TRANSACTIONS_MAX]).catch((error: unknown) => {
      if (error instanceof NotThere) return []; // an address without payments
      throw error;
    });
    return z.array(Transaction).parse(all);
  }

  private async received(address: string) {
    const own = unprefixed(address);
    const paying = (await this.transactionsOf(address)).filter(
      ({ vout, confirmations }) => confirmations > 0 && vout.some(({ scriptPubKey }) => scriptPubKey.addresses.includes(own)),
    );
    return [{ address, txids: paying.map(({ txid }) => txid) }];
  }

  /** The unspent coins of the address, without block rewards that may not be spent yet. */
  private async unspent(address: string) {
    const transactions = await this.transactionsOf(address);
    const spent = new Set(transactions.flatMap(({ vin }) => vin.map(({ txid, vout }) => `${txid}:${vout}`)));
    const own = unprefixed(address);
    return transactions
      .filter(({ vin: [first], confirmations }) => first?.coinbase === undefined || confirmations > MATURITY)
      .flatMap(({ txid, vout, confirmations }) =>
        vout
          .filter(({ n, scriptPubKey }) => scriptPubKey.addresses.includes(own) && !spent.has(`${txid}:${n}`))
          .map(({ n, value, scriptPubKey }) => ({ txid, vout: n, scriptPubKey: scriptPubKey.hex, amount: value, confirmations })),
      );
  }

  /** The transaction in the form of `gettransaction`. A block reward has no `fee`, and neither has a payment by the faucet. */
  private async known(txid: string) {
    const { hex, vin, vout, confirmations, blockhash } = await this.transaction(txid);
    const standing = { txid, hex, confirmations, ...(blockhash === undefined ? {} : { blockhash }) };
    if (vin[0]?.coinbase !== undefined) return standing;
    const spent = await Promise.all(vin.map(async (one) => (await this.transaction(one.txid ?? '')).vout[one.vout ?? -1]));
    if (spent.some((output) => output?.scriptPubKey.hex === this.faucetScript)) return standing;
    const total = (outputs: readonly ({ readonly value: number } | undefined)[]) =>
      outputs.reduce((sum, output) => sum + unitsOf(output?.value ?? 0), 0n);
    return { ...standing, fee: Number(total(vout) - total(spent)) / 1e8 };
  }

  private async pay(to: string, amountUnits: bigint): Promise<unknown> {
    const coins = (await this.unspent(this.faucet)).map(
      ({ txid, vout, amount, confirmations }): Coin => ({
        ...{ txid, vout, confirmations, amountUnits: unitsOf(amount), scriptHex: this.faucetScript },
        ...{ isCoinbase: false, isOwnChange: true },
      }),
    );
    const intent = { network: NETWORK, from: this.faucetAddress, to, amountUnits, publicKeyHex: FAUCET_KEY } as const;
    const selection = this.codec.select(intent, coins, FEE_RATE);
    if (typeof selection === 'string') throw new Error(`The faucet cannot pay: ${selection}`);
    const previous = new Map<string, string>();
    for (const { txid } of selection.coins) previous.set(txid, (await this.transaction(txid)).hex);
    const { bytesHex } = this.codec.build(intent, selection, previous);
    const signatures = utxoDecoderOf(NETWORK)
      .digestsOf(bytesHex, FAUCET_KEY)
      .map(({ digest }) => {
        const compact = bytesToHex(secp256k1.sign(digest, FAUCET_SECRET, { prehash: false }));
        return { r: `0x${compact.slice(0, 64)}`, s: `0x${compact.slice(64)}` };
      });
    const { rawHex } = this.codec.attach({ bytesHex }, signatures, FAUCET_KEY);
    return this.ask('sendrawtransaction', [rawHex]);
  }
}
