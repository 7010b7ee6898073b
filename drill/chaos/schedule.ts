import { type Random, randomOf } from './random';

export const CHAOS_NETWORKS = ['EthereumSepolia', 'BitcoinSignet', 'SolanaDevnet'] as const;
export type ChaosNetwork = (typeof CHAOS_NETWORKS)[number];

const VICTIMS = ['worker', 'signer', 'api', 'chain'] as const;
export type Victim = (typeof VICTIMS)[number];

/** The method that controls the lie of a local node, and the values that begin and end the lie. */
export type Lie = { readonly method: string; readonly on: unknown; readonly off: unknown };

export type Deed = { readonly atMs: number; readonly forMs: number } & (
  | { readonly kind: 'kill'; readonly victim: Victim }
  | { readonly kind: 'lie'; readonly network: ChaosNetwork; readonly lie: Lie }
);

/** No other transfer has the same recipient. So the payments to the recipient show how often the transfer was paid. */
export type Wish = {
  readonly atMs: number;
  readonly externalId: string;
  readonly network: ChaosNetwork;
  /** The index among the wallets of the network. An index from `WALLETS_PER_NETWORK` is a wallet of the offline store. */
  readonly wallet: number;
  /** The seed of the recipient's address. */
  readonly recipient: Uint8Array;
};

export type Schedule = { readonly seed: string; readonly deeds: readonly Deed[]; readonly wishes: readonly Wish[] };

export type ChaosOptions = {
  readonly seed: string;
  readonly minutes: number;
  readonly transfers: number;
  readonly networks: readonly ChaosNetwork[];
};

/**
 * The first wallet of each network pays more than `HOT_SHARE` of the transfers, so that many transfers share one lane (the
 * sequence of one sender's transactions).
 */
export const WALLETS_PER_NETWORK = 4;
const HOT_SHARE = 0.5;
/** Wallets of an offline store, on the EVM chain only, and their share of the transfers on this chain. */
export const OFFLINE_WALLETS = 2;
const OFFLINE_SHARE = 0.2;
const KILL_EVERY_MS = 15_000;
const LIE_EVERY_MS = 12_000;
/** From the kill of a part to its next start. */
const DOWN_MS = { low: 0, high: 4_000 } as const;
/**
 * A lie lasts long enough that a retry of the service gets the lie again. A lie ends before the lie could make the service treat
 * a block as final.
 */
const LIE_MS = { low: 1_000, high: 12_000 } as const;
/** No fault and no transfer begins in this last share of the run, so that every fault and transfer can end within the run. */
const QUIET_SHARE = 0.05;

const DOWN: Lie = { method: 'strongroom_setDown', on: true, off: false };
const DROPS: Lie = { method: 'strongroom_dropTransactions', on: true, off: false };
const slow = (ms: number): Lie => ({ method: 'strongroom_setDelay', on: ms, off: 0 });
const refuses = (words: string): Lie => ({ method: 'strongroom_refuseTransactions', on: words, off: null });
const tells = (receipts: string): Lie => ({ method: 'strongroom_lieInReceipts', on: receipts, off: null });

/**
 * The list lacks the lie that a mined transaction has failed. The chain has only one node, so a worker that is killed during this
 * lie may never get a true reply and never detect the lie.
 */
const LIES: Readonly<Record<ChaosNetwork, readonly Lie[]>> = {
  EthereumSepolia: [
    DOWN,
    DROPS,
    slow(700),
    slow(2_500),
    refuses('already known'),
    refuses('nonce too low'),
    refuses('replacement transaction underpriced'),
    refuses('txpool is full'),
    tells('OtherTransaction'),
    tells('OtherBlock'),
    tells('Missing'),
    tells('Invented'),
  ],
  BitcoinSignet: [DOWN, slow(700), slow(2_500)],
  SolanaDevnet: [DOWN, DROPS, slow(700)],
};

export function scheduleOf({ seed, minutes, transfers, networks }: ChaosOptions): Schedule {
  const lastMs = minutes * 60_000 * (1 - QUIET_SHARE);
  return {
    seed,
    deeds: [...kills(randomOf(seed, 'kills'), lastMs), ...lies(randomOf(seed, 'lies'), lastMs, networks)].sort(
      (a, b) => a.atMs - b.atMs,
    ),
    wishes: wishes(randomOf(seed, 'wishes'), lastMs, { seed, transfers, networks }),
  };
}

/** A part is not killed again before its restart. Two different parts can be down at the same time. */
function kills(random: Random, lastMs: number): readonly Deed[] {
  const deeds: Deed[] = [];
  const free = new Map<Victim, number>();
  for (let atMs = between(random, KILL_EVERY_MS); atMs < lastMs; atMs += between(random, KILL_EVERY_MS)) {
    const victim = random.oneOf(VICTIMS);
    const forMs = random.whole(DOWN_MS.low, DOWN_MS.high);
    if ((free.get(victim) ?? 0) > atMs) continue;
    free.set(victim, atMs + forMs);
    deeds.push({ kind: 'kill', victim, atMs, forMs });
  }
  return deeds;
}

/** Two lies of a node with the same method never overlap, because the end of one would also end the other. */
function lies(random: Random, lastMs: number, networks: readonly ChaosNetwork[]): readonly Deed[] {
  const deeds: Deed[] = [];
  const free = new Map<string, number>();
  for (let atMs = between(random, LIE_EVERY_MS); atMs < lastMs; atMs += between(random, LIE_EVERY_MS)) {
    const network = random.oneOf(networks);
    const lie = random.oneOf(LIES[network]);
    const forMs = random.whole(LIE_MS.low, LIE_MS.high);
    const control = `${network} ${lie.method}`;
    if ((free.get(control) ?? 0) > atMs) continue;
    free.set(control, atMs + forMs);
    deeds.push({ kind: 'lie', network, lie, atMs, forMs });
  }
  return deeds;
}

/** Between 50% and 150% of the interval. */
const between = (random: Random, everyMs: number): number => Math.round(everyMs * (0.5 + random.share()));

function wishes(
  random: Random,
  lastMs: number,
  { seed, transfers, networks }: Pick<ChaosOptions, 'seed' | 'transfers' | 'networks'>,
): readonly Wish[] {
  const offline = randomOf(seed, 'offline');
  return Array.from(
    { length: transfers },
    (_, index): Wish => ({
      atMs: Math.round(random.share() * lastMs),
      externalId: `chaos-${seed}-${index}`,
      // Most transfers are on the EVM chain, the first network, because only on this network can a nonce gap block a lane.
      network: random.share() < HOT_SHARE ? (networks[0] ?? 'EthereumSepolia') : random.oneOf(networks),
      wallet: random.share() < HOT_SHARE ? 0 : random.whole(0, WALLETS_PER_NETWORK - 1),
      recipient: random.bytes(32),
    }),
  )
    .map((wish) => (wish.network === networks[0] ? moved(wish, offline) : wish))
    .sort((a, b) => a.atMs - b.atMs);
}

/** Moves some of the transfers to a wallet of the offline store. */
const moved = (wish: Wish, random: Random): Wish =>
  random.share() < OFFLINE_SHARE ? { ...wish, wallet: WALLETS_PER_NETWORK + random.whole(0, OFFLINE_WALLETS - 1) } : wish;
