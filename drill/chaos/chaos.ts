import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { TRANSFER_ENDS } from '../../domain/transfers';
import { ApiError } from '../../local/client';
import type { Vault } from '../fleets/vault';
import type { Stage } from '../rig';
import { PARTIES, type Party, rpcAt } from './actors';
import { type Courier, openCourier } from './courier';
import { type FeedReader, startFeedReader } from './feed-reader';
import { gatherEvidence, type Payer, readRows } from './gather-evidence';
import { isWatched } from './histories';
import { type Ordered, violationsOf } from './invariants';
import { randomOf } from './random';
import {
  CHAOS_NETWORKS,
  type ChaosOptions,
  type Deed,
  OFFLINE_WALLETS,
  type Schedule,
  scheduleOf,
  WALLETS_PER_NETWORK,
  type Wish,
} from './schedule';

type Say = (line: string) => void;
type Wallet = Payer & { readonly walletId: string };

const ASK_AGAIN_MS = 500;
const INSISTS_FOR_MS = 300_000;
const SETTLES_WITHIN_MS = 420_000;
const LOOK_AGAIN_MS = 3_000;
const TELL_EVERY_MS = 30_000;
const ENDED: ReadonlySet<string> = new Set(TRANSFER_ENDS);

const Created = z.object({ id: z.string(), address: z.string() });

/** Runs the schedule, and returns the refusals that the callers got and the violations. */
export async function runChaos(stage: Stage, options: ChaosOptions, say: Say): Promise<readonly string[]> {
  const schedule = scheduleOf(options);
  const kills = schedule.deeds.filter(({ kind }) => kind === 'kill').length;
  say(
    `seed ${schedule.seed}: ${schedule.wishes.length} transfers on ${options.networks.join(', ')} within ${options.minutes} minutes, ` +
      `${kills} kills, ${schedule.deeds.length - kills} faults of nodes`,
  );
  const parties = new Map(
    options.networks.map((network): [string, Party] => {
      const { port, party } = PARTIES[network];
      return [network, party(rpcAt(z.number().parse(stage.place().ports[port])))];
    }),
  );
  const { url } = stage.receiver;
  await stage.client('admin').change('POST', '/webhooks', { url, events: ['*'], description: 'chaos' }, z.unknown());
  const courier = await openCourier(stage, randomOf(options.seed, 'device'), say);
  const wallets = await fundedWallets(stage, options, parties, courier.vault);

  const reader = startFeedReader(stage);
  const ordered: Ordered[] = [];
  const complaints: string[] = [];
  const began = performance.now();
  const telling = setInterval(() => {
    const asked = `${ordered.length} of ${schedule.wishes.length} transfers were accepted`;
    say(`${Math.round((performance.now() - began) / 1_000)} s: ${asked}, ${stage.receiver.received.length} deliveries`);
  }, TELL_EVERY_MS);
  courier.start();
  try {
    await Promise.all([
      ...schedule.wishes.map((wish) => grant(stage, wish, { wallets, parties, ordered, complaints, began })),
      ...schedule.deeds.map((deed) => carryOut(stage, deed, { parties, began, say })),
    ]);
    await toldTruth(schedule, parties);
    say(`${Math.round((performance.now() - began) / 1_000)} s: every transfer was requested and every fault has ended`);
    courier.becomeReliable();
    const found = await settled({ stage, wallets, parties, reader, courier, say }, ordered);
    return [...complaints, ...found, ...(await courier.end())];
  } finally {
    clearInterval(telling);
    await courier.end();
  }
}

async function fundedWallets(
  stage: Stage,
  { seed, networks }: ChaosOptions,
  parties: ReadonlyMap<string, Party>,
  { storeId }: Vault,
): Promise<ReadonlyMap<string, readonly Wallet[]>> {
  const wallets = new Map<string, Wallet[]>();
  for (const network of networks) {
    const party = partyOf(parties, network);
    const own: Wallet[] = [];
    const count = WALLETS_PER_NETWORK + (network === CHAOS_NETWORKS[0] ? OFFLINE_WALLETS : 0);
    for (let index = 0; index < count; index += 1) {
      const from = index < WALLETS_PER_NETWORK ? {} : { signingKey: { storeId } };
      const body = { network, externalId: `chaos-${seed}-${network}-${index}`, ...from };
      const { id, address } = await stage.client('admin').change('POST', '/wallets', body, Created);
      own.push({ walletId: id, network, address, fundedUnits: await party.fund(address) });
    }
    wallets.set(network, own);
  }
  return wallets;
}

const partyOf = (parties: ReadonlyMap<string, Party>, network: string): Party => {
  const party = parties.get(network);
  if (!party) throw new Error(`No actor plays ${network}`);
  return party;
};

const until = (atMs: number, began: number) => delay(Math.max(0, began + atMs - performance.now()));

type Asking = {
  readonly wallets: ReadonlyMap<string, readonly Wallet[]>;
  readonly parties: ReadonlyMap<string, Party>;
  readonly ordered: Ordered[];
  readonly complaints: string[];
  readonly began: number;
};

/** Repeats the request with the same external id until the service accepts or refuses it, or the time limit has passed. */
async function grant(stage: Stage, wish: Wish, { wallets, parties, ordered, complaints, began }: Asking): Promise<void> {
  const { network, externalId } = wish;
  const { recipient, amountUnits } = partyOf(parties, network);
  const wallet = wallets.get(network)?.[wish.wallet];
  if (!wallet) throw new Error(`${network} has no wallet ${wish.wallet}`);
  const to = recipient(wish.recipient);
  const body = { kind: 'Native', to, amount: amountUnits.toString(), externalId };
  await until(wish.atMs, began);
  const deadline = performance.now() + INSISTS_FOR_MS;
  for (;;) {
    try {
      // A repeated request returns the watch that exists.
      if (isWatched(network, wish.recipient))
        await stage.client('admin').change('POST', '/address-watches', { network, address: to }, z.unknown());
      await stage.client('admin').change('POST', `/wallets/${wallet.walletId}/transfers`, body, z.unknown());
      ordered.push({ externalId, network, from: wallet.address, to, amountUnits });
      return;
    } catch (error) {
      const isFinal = error instanceof ApiError && error.status < 500 && error.status !== 401 && error.status !== 429;
      if (isFinal || performance.now() > deadline) {
        complaints.push(
          `${externalId} was refused: ${error instanceof ApiError ? `${error.status} ${error.code} ` : ''}${error}`,
        );
        return;
      }
      await delay(ASK_AGAIN_MS);
    }
  }
}

type Acting = Pick<Asking, 'parties' | 'began'> & { readonly say: Say };

async function carryOut(stage: Stage, deed: Deed, { parties, began, say }: Acting): Promise<void> {
  await until(deed.atMs, began);
  const at = `${(deed.atMs / 1_000).toFixed(1)} s`;
  if (deed.kind === 'lie') {
    const { rpc } = partyOf(parties, deed.network);
    const { method, on, off } = deed.lie;
    say(`${at}: ${deed.network} ${method} ${JSON.stringify(on)} for ${deed.forMs} ms`);
    // The node may be down after a kill. `toldTruth` resets every node at the end.
    await rpc(method, [on]).catch(() => undefined);
    await delay(deed.forMs);
    await rpc(method, [off]).catch(() => undefined);
    return;
  }
  say(`${at}: kill -9 of ${deed.victim}, down for ${deed.forMs} ms`);
  try {
    await stage.kill(deed.victim);
  } catch {
    // The supervisor restarts a part that has ended by itself. A second restart here would start two instances for one port.
    return say(`${at}: ${deed.victim} is not running at this moment`);
  }
  await delay(deed.forMs);
  // The supervisor restarts a part that ends during its start.
  await stage.restart(deed.victim).catch((error: unknown) => say(`${at}: ${String(error)}`));
}

/** Ends all lies once more, because the call that ends a lie may have failed while the node was down. */
async function toldTruth({ deeds }: Schedule, parties: ReadonlyMap<string, Party>): Promise<void> {
  for (const deed of deeds) {
    if (deed.kind === 'lie') await partyOf(parties, deed.network).rpc(deed.lie.method, [deed.lie.off]);
  }
}

type Settling = Pick<Asking, 'wallets' | 'parties'> & {
  readonly stage: Stage;
  readonly reader: FeedReader;
  readonly courier: Pick<Courier, 'vault'>;
  readonly say: Say;
};

/**
 * Repeats the checks until no violation is left or the time limit has passed. Reads the chains only if all transfers have ended
 * or the time limit has passed.
 */
async function settled(
  { stage, wallets, parties, reader, courier, say }: Settling,
  ordered: readonly Ordered[],
): Promise<readonly string[]> {
  const deadline = performance.now() + SETTLES_WITHIN_MS;
  for (;;) {
    const isLast = performance.now() > deadline;
    const rows = await readRows(stage, ordered);
    const open = rows.told.filter(({ state }) => !ENDED.has(state)).length;
    if (open === 0 || isLast) {
      const evidence = await gatherEvidence(
        { stage, reader, parties, vault: courier.vault },
        ordered,
        [...wallets.values()].flat(),
      );
      const found = violationsOf(evidence);
      if (found.length === 0 || isLast) {
        for (const network of parties.keys()) say(`${network}: ${countsOf(network, ordered, evidence.told)}`);
        return found;
      }
    }
    await delay(LOOK_AGAIN_MS);
  }
}

function countsOf(
  network: string,
  ordered: readonly Ordered[],
  told: readonly { readonly externalId: string; readonly state: string }[],
): string {
  const states = new Map(told.map(({ externalId, state }) => [externalId, state]));
  const counts = new Map<string, number>();
  for (const { externalId } of ordered.filter((one) => one.network === network)) {
    const state = states.get(externalId) ?? 'unknown';
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return [...counts].map(([state, count]) => `${count} ${state}`).join(', ') || 'nothing was asked';
}
