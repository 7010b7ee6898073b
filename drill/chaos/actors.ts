import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { base58 } from '@scure/base';
import { z } from 'zod';
import { utxoCodecOf } from '../../chains/codecs';
import type { Purse } from './invariants';
import type { ChaosNetwork } from './schedule';

type Rpc = (method: string, params?: readonly unknown[]) => Promise<unknown>;
type Held = Pick<Purse, 'balanceUnits' | 'nonces' | 'feesUnits'>;

export type Party = {
  readonly rpc: Rpc;
  readonly amountUnits: bigint;
  readonly recipient: (bytes: Uint8Array) => string;
  /** Gives a wallet more than a run can spend, and returns the amount. */
  readonly fund: (address: string) => Promise<bigint>;
  readonly look: (
    senders: readonly string[],
    recipients: readonly string[],
  ) => Promise<{ readonly paid: ReadonlyMap<string, readonly bigint[]>; readonly held: ReadonlyMap<string, Held> }>;
};

const Reply = z.object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).nullish() });

/** Throws if the node replies with an error. */
export const rpcAt =
  (port: number): Rpc =>
  async (method, params = []) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body });
    const { result, error } = Reply.parse(await response.json());
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };

export const PARTIES: Readonly<Record<ChaosNetwork, { readonly port: string; readonly party: (rpc: Rpc) => Party }>> = {
  EthereumSepolia: { port: 'chain', party: evm },
  BitcoinSignet: { port: 'bitcoin', party: bitcoin },
  SolanaDevnet: { port: 'solana', party: solana },
};

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const Quantity = z.string().transform(BigInt);
const TEN_ETHER = 10n ** 19n;

const EvmBlock = z.object({
  transactions: z.array(
    z.object({ hash: z.string(), from: z.string(), to: z.string().nullable(), value: Quantity, nonce: Quantity }),
  ),
});
const EvmReceipt = z.object({ gasUsed: Quantity, effectiveGasPrice: Quantity, status: z.string() });

function evm(rpc: Rpc): Party {
  return {
    rpc,
    amountUnits: 1_000_000n,
    recipient: (bytes) => `0x${hex(bytes.subarray(0, 20))}`,
    fund: async (address) => {
      await rpc('anvil_setBalance', [address, `0x${TEN_ETHER.toString(16)}`]);
      return TEN_ETHER;
    },
    look: async (senders, recipients) => {
      const own = new Map(senders.map((address) => [address.toLowerCase(), { address, nonces: [] as number[], fees: 0n }]));
      const paid = new Map<string, bigint[]>(recipients.map((to) => [to, []]));
      const head = Number(await rpc('eth_blockNumber'));
      for (let height = 1; height <= head; height += 1) {
        const block = EvmBlock.parse(await rpc('eth_getBlockByNumber', [`0x${height.toString(16)}`, true]));
        for (const { hash, from, to, value, nonce } of block.transactions) {
          const sender = own.get(from.toLowerCase());
          if (!sender) continue;
          const { gasUsed, effectiveGasPrice, status } = EvmReceipt.parse(await rpc('eth_getTransactionReceipt', [hash]));
          sender.nonces.push(Number(nonce));
          sender.fees += gasUsed * effectiveGasPrice;
          if (status === '0x1') paid.get(to?.toLowerCase() ?? '')?.push(value);
        }
      }
      const held = new Map<string, Held>();
      for (const { address, nonces, fees } of own.values()) {
        const balanceUnits = Quantity.parse(await rpc('eth_getBalance', [address, 'latest']));
        held.set(address, { balanceUnits, nonces, feesUnits: fees });
      }
      return { paid, held };
    },
  };
}

const COINS = 6;
const SATOSHI = 100_000_000;
const Scan = z.object({ unspents: z.array(z.object({ scriptPubKey: z.string(), amount: z.number() })) });

function bitcoin(rpc: Rpc): Party {
  const codec = utxoCodecOf('BitcoinSignet');
  const unspent = async (addresses: readonly string[]): Promise<ReadonlyMap<string, bigint[]>> => {
    const found = new Map<string, bigint[]>(addresses.map((address) => [address, []]));
    const byScript = new Map(addresses.map((address) => [codec.scriptOf(address), address]));
    // The request has scripts instead of addresses: the node runs regtest, and refuses addresses with the prefixes of signet.
    const wanted = [...byScript.keys()].map((script) => ({ desc: `raw(${script})` }));
    const { unspents } = Scan.parse(await rpc('scantxoutset', ['start', wanted]));
    for (const { scriptPubKey, amount } of unspents)
      found.get(byScript.get(scriptPubKey) ?? '')?.push(BigInt(Math.round(amount * SATOSHI)));
    return found;
  };
  return {
    rpc,
    amountUnits: 20_000n,
    recipient: (bytes) => codec.addressOf(hex(secp256k1.getPublicKey(bytes))),
    fund: async (address) => {
      for (let coin = 0; coin < COINS; coin += 1) await rpc('strongroom_fund', [address, '1']);
      return BigInt(COINS * SATOSHI);
    },
    look: async (senders, recipients) => {
      const found = await unspent([...senders, ...recipients]);
      const total = (address: string) => (found.get(address) ?? []).reduce((sum, value) => sum + value, 0n);
      const held = senders.map((address): [string, Held] => [
        address,
        { balanceUnits: total(address), nonces: undefined, feesUnits: undefined },
      ]);
      return { paid: new Map(recipients.map((to) => [to, found.get(to) ?? []])), held: new Map(held) };
    },
  };
}

const TEN_SOL = 10_000_000_000n;
const Balance = z.object({ value: z.number() });

function solana(rpc: Rpc): Party {
  const balance = async (address: string) =>
    BigInt(Balance.parse(await rpc('getBalance', [address, { commitment: 'finalized' }])).value);
  return {
    rpc,
    amountUnits: 5_000_000n,
    recipient: (bytes) => base58.encode(ed25519.getPublicKey(bytes)),
    fund: async (address) => {
      await rpc('requestAirdrop', [address, Number(TEN_SOL)]);
      await rpc('strongroom_advanceSlots', [40]);
      return TEN_SOL;
    },
    look: async (senders, recipients) => {
      const paid = new Map<string, readonly bigint[]>();
      for (const to of recipients) {
        const units = await balance(to);
        paid.set(to, units === 0n ? [] : [units]);
      }
      const held = new Map<string, Held>();
      for (const address of senders)
        held.set(address, { balanceUnits: await balance(address), nonces: undefined, feesUnits: undefined });
      return { paid, held };
    },
  };
}
