import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { bech32, createBase58check } from '@scure/base';
import type { TestCoinChain } from '../coin-chain';
import { type Dice, pick } from '../dice';

export type CoinAccount = {
  readonly publicKey: string;
  /** The address in the form of a public test network, which is the service's form. */
  readonly address: string;
  /** The same address in the form of the local node. */
  readonly local: string;
  readonly wif: string;
};

type Coin = {
  readonly txid: string;
  readonly vout: number;
  readonly amount: bigint;
  readonly script: string;
  readonly owner: CoinAccount;
};
type Unspent = { txid: string; vout: number; scriptPubKey: string; amount: number; height: number; coinbase: boolean };
type Parties = [CoinAccount, ...CoinAccount[]];
type Scene = {
  readonly chain: TestCoinChain;
  readonly roll: Dice;
  readonly parties: Readonly<Parties>;
  readonly byScript: ReadonlyMap<string, CoinAccount>;
};
type Scanned = { readonly height: number; readonly unspents: readonly Unspent[] };
type Decoded = { readonly txid: string; readonly vout: { n: number; value: number; scriptPubKey: { hex: string } }[] };

export type RandomCoinChain = {
  readonly accounts: Readonly<Parties>;
  /** Lets the last account receive payments. Until this call, it receives nothing. */
  readonly admitLast: () => void;
  readonly mine: () => Promise<void>;
  /** Replaces the newest blocks with different blocks, which can spend the same coins in a different way. */
  readonly reorganise: (depth: number) => Promise<void>;
  /** The balance of the account, in smallest units, as the node reports it. */
  readonly balanceOf: (account: CoinAccount) => Promise<bigint>;
};

const REGTEST = 'bcrt';
const WIF_TESTNET = 0xef;
const COMPRESSED = 1;
const COINBASE_MATURITY = 100;
const UNITS = 100_000_000;
const SECRET_BYTES = 32;
const DUST = 1_000n;
const FEE = 3_000n;
const ACCOUNTS = 8;
const FUNDED = 6;
const TRANSACTIONS_MAX = 4;
const INPUTS_MAX = 4;
const OUTPUTS_MAX = 4;

export const unitsOf = (coins: number): bigint => BigInt(Math.round(coins * UNITS));
const coinsOf = (units: bigint): string => `${units / BigInt(UNITS)}.${String(units % BigInt(UNITS)).padStart(8, '0')}`;
const inForm = (address: string, prefix: string) => {
  const { words } = bech32.decode(address as `${string}1${string}`);
  return bech32.encode(prefix, words);
};

/** The public form of an address. The local node uses a different prefix, because it runs a network of its own. */
export const publicForm = (local: string, prefix: string) => (local.startsWith(`${REGTEST}1q`) ? inForm(local, prefix) : local);

function newAccount(roll: Dice, addressOf: (publicKey: string) => string): CoinAccount {
  const secret = Uint8Array.from({ length: SECRET_BYTES }, () => 1 + roll(200));
  const publicKey = bytesToHex(secp256k1.getPublicKey(secret));
  const address = addressOf(publicKey);
  const wif = createBase58check(sha256).encode(Uint8Array.of(WIF_TESTNET, ...secret, COMPRESSED));
  return { publicKey, address, local: inForm(address, REGTEST), wif };
}

/** Payments to some of the parties, often with change. */
function outputsOf(roll: Dice, parties: Readonly<Parties>, owner: CoinAccount, units: bigint): Record<string, string>[] {
  const outputs: Record<string, string>[] = [];
  let rest = units;
  // A node accepts an address once per transaction.
  const free = new Set(parties);
  for (let more = 1 + roll(OUTPUTS_MAX); more > 0; more -= 1) {
    const amount = roll(5) === 0 ? rest : (rest * BigInt(1 + roll(50))) / 100n;
    const to = pick(roll, [...free] as [CoinAccount, ...CoinAccount[]]);
    if (amount <= DUST) continue;
    free.delete(to);
    outputs.push({ [to.local]: coinsOf(amount) });
    rest -= amount;
  }
  if (outputs.length > 0 && roll(4) === 0) outputs.push({ data: '737472616e6765' });
  if (free.has(owner) && rest > DUST && roll(3) > 0) outputs.push({ [owner.local]: coinsOf(rest) });
  return outputs;
}

/** Takes coins of one or several owners out of `coins`, and adds the coins that the transaction makes. */
async function transaction({ chain, roll, parties, byScript }: Scene, coins: Coin[]): Promise<string | undefined> {
  const isMixed = roll(3) === 0;
  const first = coins[roll(coins.length)];
  if (!first) return undefined;
  const spent = coins
    .filter((coin) => coin === first || ((isMixed || coin.owner === first.owner) && roll(3) === 0))
    .slice(0, INPUTS_MAX);
  if (!spent.includes(first)) spent[0] = first;
  const outputs = outputsOf(roll, parties, first.owner, spent.reduce((sum, { amount }) => sum + amount, 0n) - FEE);
  if (outputs.length === 0) return undefined;
  const inputs = spent.map(({ txid, vout }) => ({ txid, vout }));
  const unsigned = await chain.call<string>('createrawtransaction', inputs, outputs);
  const previous = spent.map(({ txid, vout, script, amount }) => ({
    txid,
    vout,
    scriptPubKey: script,
    amount: coinsOf(amount),
  }));
  const wifs = [...new Set(spent.map(({ owner }) => owner.wif))];
  const { hex } = await chain.call<{ hex: string }>('signrawtransactionwithkey', unsigned, wifs, previous);
  const { txid, vout } = await chain.call<Decoded>('decoderawtransaction', hex);
  for (const one of spent) coins.splice(coins.indexOf(one), 1);
  for (const { n, value, scriptPubKey } of vout) {
    const owner = byScript.get(scriptPubKey.hex);
    if (owner) coins.push({ txid, vout: n, amount: unitsOf(value), script: scriptPubKey.hex, owner });
  }
  return hex;
}

/** Random blocks on a real node. Their transactions do not pass through the mempool, so the node can build any branch. */
export async function startRandomCoinChain(
  chain: TestCoinChain,
  roll: Dice,
  addressOf: (publicKey: string) => string,
): Promise<RandomCoinChain> {
  const accounts = Array.from({ length: ACCOUNTS }, () => newAccount(roll, addressOf)) as Parties;
  const funded = accounts.slice(0, FUNDED);
  for (const { address } of funded) for (const coins of ['1', '0.5', '0.25']) await chain.call('strongroom_fund', address, coins);
  await chain.call('strongroom_mine', 1);
  const byScript = new Map<string, CoinAccount>();
  for (const account of accounts)
    byScript.set((await chain.call<{ scriptPubKey: string }>('validateaddress', account.local)).scriptPubKey, account);

  let parties = accounts.slice(0, -1) as Parties;
  const unspentOf = (some: readonly CoinAccount[]) =>
    chain.call<Scanned>(
      'scantxoutset',
      'start',
      some.map(({ local }) => `addr(${local})`),
    );

  async function spendable(): Promise<Coin[]> {
    const { height, unspents } = await unspentOf(accounts);
    const coins = unspents.flatMap(({ txid, vout, amount, scriptPubKey: script, ...coin }) => {
      const owner = byScript.get(script);
      const isRipe = !coin.coinbase || height + 1 - coin.height >= COINBASE_MATURITY;
      return owner && isRipe ? [{ txid, vout, amount: unitsOf(amount), script, owner }] : [];
    });
    // The node orders coins by their ids, which do not depend on the seed.
    const placeOf = ({ owner, amount }: Coin) => `${accounts.indexOf(owner)} ${amount}`;
    return coins.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  }

  async function mine(): Promise<void> {
    const coins = await spendable();
    const raws: string[] = [];
    for (let more = roll(TRANSACTIONS_MAX); more > 0; more -= 1) {
      const raw = await transaction({ chain, roll, parties, byScript }, coins);
      if (raw !== undefined) raws.push(raw);
    }
    // The reward goes to one of the parties, too.
    await chain.call('generateblock', pick(roll, parties).local, raws);
  }

  return {
    accounts,
    mine,
    admitLast: () => {
      parties = accounts;
    },
    reorganise: async (depth) => {
      const height = await chain.call<number>('getblockcount');
      await chain.call('invalidateblock', await chain.call<string>('getblockhash', height - depth + 1));
      for (let more = depth + 1; more > 0; more -= 1) await mine();
    },
    balanceOf: async (account) => (await unspentOf([account])).unspents.reduce((sum, { amount }) => sum + unitsOf(amount), 0n),
  };
}
