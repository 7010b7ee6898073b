import { type StatedBalances, statingOf, whyUnswept } from '../../application/movements/families';
import { settleReading, type ToldDifference } from '../../application/movements/sweep';
import { NO_ORGANIZATION } from '../../application/wallets/assets';
import { codecOf } from '../../chains/codecs';
import { networkOf, whyUnread } from '../../chains/networks';
import type { ChainReader, Network } from '../../chains/types';
import type { DifferenceCause } from '../../domain/balance-differences';
import { MINUTE_MS } from '../../domain/durations';
import type { DutyResult } from '../../domain/housekeeping';
import type { NetworkName } from '../../domain/networks';
import { inSlot } from '../../domain/slots';
import type { Database } from '../../entities/database';
import { type DueAddress, placeOf } from '../../entities/housekeeping/housekeeping.store';
import type { StoredUnits } from '../../entities/scans/balance-sweep.entity';
import { balanceSweepStore } from '../../entities/scans/balance-sweep.store';
import { type BlockPlace, scanStore } from '../../entities/scans/scan.store';
import { byOrganization } from '../scans/by-organization';
import type { DutyParts } from './duty';

/** Must not throw. */
export type SweepObserver = {
  /** Called after each page of addresses. `Unread`: no node stated their balances. */
  readonly swept: (network: NetworkName, outcome: 'Compared' | 'Unread') => void;
  readonly unexplained: (network: NetworkName, cause: DifferenceCause) => void;
};

export type SweepParts = {
  readonly networks: readonly NetworkName[];
  readonly readers: (network: NetworkName) => ChainReader;
  readonly sweepObserver?: SweepObserver | undefined;
};

/** The balances of this number of addresses are read together. */
const PAGE_ROWS = 50;
/** The maximum number of pages of one network in one run, so that the sweep takes only a part of a node's capacity. */
const PAGES_MAX = 20;
/**
 * A run does not begin another page of a network after this time: pages take long on a node that needs a call for each balance.
 */
const NETWORK_MS = 5_000;
/** A round does not begin another network after this time, so that the round ends before its activity times out. */
const ROUND_MS = 120_000;
/** Addresses whose balances could not be read wait for this time, so that they do not delay other addresses. */
const UNREAD_MINUTES = 10;
const NAMES_MAX = 20;
const DIFFERS = 'ALARM: the balance of an address differs from its movements: see balance_differences';

/**
 * Compares the balances that nodes state with the movements that blocks reported. The addresses are checked in turn. An address
 * with newly confirmed movements is checked earlier.
 */
export function createSweepDuty(parts: DutyParts & SweepParts) {
  const { db, networks, logger } = parts;
  return async (): Promise<DutyResult> => {
    const ends = performance.now() + ROUND_MS;
    const sums = { looked: 0, done: 0 };
    // Each run begins with a different network, so that silent nodes do not always delay the same networks.
    const first = Math.floor(Date.now() / MINUTE_MS) % Math.max(1, networks.length);
    for (const name of [...networks.slice(first), ...networks.slice(0, first)]) {
      if (performance.now() > ends) break;
      const network = networkOf(name);
      if ((whyUnread(network) ?? whyUnswept(network)) !== undefined) continue;
      const place = await confirmedPlaceOf(parts, name);
      if (!place) continue;
      try {
        const { looked, done } = await sweepNetwork(parts, network, place);
        sums.looked += looked;
        sums.done += done;
        if (done > 0) await db.withOrg(NO_ORGANIZATION, (tx) => scanStore.noteSwept(tx, name, place.height));
      } catch (err) {
        logger.warn({ network: name, err }, 'the balances of addresses could not be compared');
      }
    }
    return sums;
  };
}

/** The last confirmed block. Undefined before the scan of the network has started. */
async function confirmedPlaceOf({ db }: DutyParts, network: NetworkName): Promise<BlockPlace | undefined> {
  const reader = db.read(NO_ORGANIZATION);
  const [scan, kept] = await Promise.all([scanStore.find(reader, network), scanStore.keptBlocks(reader, network)]);
  if (!scan) return undefined;
  return [scan.folded, ...kept].find(({ height }) => height === scan.confirmedHeight);
}

async function sweepNetwork(parts: DutyParts & SweepParts, network: Network, place: BlockPlace): Promise<DutyResult> {
  const { housekeeping, logger } = parts;
  const ends = performance.now() + NETWORK_MS;
  const told: ToldDifference[] = [];
  const sums = { looked: 0, done: 0 };
  for (let page = 0; page < PAGES_MAX && performance.now() < ends; page += 1) {
    const due = await housekeeping.addressesToSweep(network.name, place.height, PAGE_ROWS);
    if (due.length === 0) break;
    const swept = await sweepPage(parts, network, place, due);
    sums.looked += due.length;
    sums.done += swept.done;
    told.push(...swept.told);
    if (!swept.isComplete) break;
  }
  for (const { cause } of told) parts.sweepObserver?.unexplained(network.name, cause);
  if (told.length > 0) {
    const names = told.slice(0, NAMES_MAX).map(({ subjectId }) => subjectId);
    logger.error({ network: network.name, names, count: told.length }, DIFFERS);
  }
  return sums;
}

type Page = { readonly done: number; readonly told: readonly ToldDifference[]; readonly isComplete: boolean };

async function sweepPage(
  parts: DutyParts & SweepParts,
  network: Network,
  place: BlockPlace,
  due: readonly DueAddress[],
): Promise<Page> {
  const { db, readers, sweepObserver } = parts;
  // One address that was altered in the database must not prevent the reading of all other balances.
  const [readable, altered] = partition(due, ({ address }) => isCanonical(network.name, address));
  await putOff(db, altered);
  const units = new Map<string, StoredUnits>();
  try {
    const addresses = readable.map(({ address }) => address);
    const state = inSlot(statingOf(network.family).statedBalances);
    const stated = readable.length === 0 ? [] : await state(readers(network.name), network, addresses, place);
    for (const [at, balances] of stated.entries()) {
      const one = readable[at];
      if (one) units.set(placeOf(one), storedOf(balances));
    }
  } catch (error) {
    sweepObserver?.swept(network.name, 'Unread');
    await putOff(db, readable);
    throw error;
  }
  sweepObserver?.swept(network.name, 'Compared');
  const told: ToldDifference[] = [];
  let done = 0;
  for (const [orgId, own] of byOrganization(readable)) {
    const stated = own.flatMap((one): [string, StoredUnits][] => {
      const found = units.get(placeOf(one));
      return found ? [[one.id, found]] : [];
    });
    const settled = await db.withOrg(orgId, (tx) => settleReading(tx, network.name, { ...place, units: new Map(stated) }));
    done += settled.subjects;
    told.push(...settled.told);
  }
  return { done, told, isComplete: done > 0 };
}

function isCanonical(network: NetworkName, address: string): boolean {
  try {
    return codecOf(network).parseAddress(address) === address;
  } catch {
    return false;
  }
}

const storedOf = (balances: StatedBalances): StoredUnits =>
  Object.fromEntries([...balances].map(([contract, balance]) => [contract, String(balance)]));

async function putOff(db: Database, rows: readonly DueAddress[]): Promise<void> {
  for (const [orgId, own] of byOrganization(rows)) {
    const ids = own.map(({ id }) => id);
    await db.withOrg(orgId, (tx) => balanceSweepStore.putOff(tx, ids, UNREAD_MINUTES));
  }
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
