import { keyFaults, signedFaults } from '../fleets/vault-checks';
import type { VaultRecords } from '../fleets/vault-records';
import type { FeedRead } from './feed-reader';
import { type Histories, missingIn } from './histories';

export type Ordered = {
  readonly externalId: string;
  readonly network: string;
  readonly from: string;
  readonly to: string;
  readonly amountUnits: bigint;
};
export type Told = {
  readonly externalId: string;
  readonly id: string;
  readonly state: string;
  readonly feeUnits: bigint;
  readonly txHash: string | null;
};
export type Moment = { readonly transferId: string; readonly kind: string; readonly version: number };
export type Purse = {
  readonly network: string;
  readonly address: string;
  readonly fundedUnits: bigint;
  readonly balanceUnits: bigint;
  /** The nonces of all included transactions from this address; undefined for a chain without nonces. */
  readonly nonces: readonly number[] | undefined;
  /** The fees as the chain shows them; undefined if only the service's rows show fees. */
  readonly feesUnits: bigint | undefined;
};

/** The payments come from the chain and never from the service's rows. */
export type Evidence = {
  readonly ordered: readonly Ordered[];
  readonly told: readonly Told[];
  /** All payments on the chain by recipient, in smallest units. */
  readonly paid: ReadonlyMap<string, readonly bigint[]>;
  readonly purses: readonly Purse[];
  /** `events` comes from the service's rows, and `arrived` from the receiver. */
  readonly events: readonly Moment[];
  readonly arrived: readonly Moment[];
  /** Ids of transfers with unrelayed outbox rows, and of transfers with open claims. */
  readonly unrelayed: readonly string[];
  readonly openClaims: readonly string[];
  /** Ids of all events of the organisation in the rows. */
  readonly eventIds: readonly string[];
  /** The movements that the service has read from blocks. */
  readonly histories: Histories;
  /** The journal and the rows about the offline store. */
  readonly offline: VaultRecords;
  /** Everything that a reader of the feed has read since the beginning. */
  readonly feed: FeedRead;
};

const ENDS: Readonly<Record<string, readonly string[]>> = {
  Confirmed: ['wallet.transfer.requested', 'wallet.transfer.broadcasted', 'wallet.transfer.confirmed'],
  Failed: ['wallet.transfer.requested', 'wallet.transfer.failed'],
  Rejected: ['wallet.transfer.requested', 'wallet.transfer.rejected'],
};

const sum = (values: readonly bigint[]) => values.reduce((all, value) => all + value, 0n);
const momentKey = ({ transferId, kind, version }: Moment) => `${transferId} ${kind} ${version}`;

/** One line for each violation. */
export function violationsOf(evidence: Evidence): readonly string[] {
  return [
    ...ends(evidence),
    ...payments(evidence),
    ...purses(evidence),
    ...moments(evidence),
    ...remains(evidence),
    ...feedOf(evidence),
    ...missingIn(evidence.histories, evidence),
    ...offlineOf(evidence),
  ];
}

/** Each ordered transfer must have one row, and this row must be in an end state. */
function ends({ ordered, told }: Evidence): readonly string[] {
  return ordered.flatMap(({ externalId }) => {
    const own = told.filter((one) => one.externalId === externalId);
    if (own.length !== 1) return [`${externalId}: ${own.length} transfers instead of one`];
    return own.flatMap(({ id, state }) => (ENDS[state] ? [] : [`${externalId} (${id}) is ${state} at the end`]));
  });
}

/** Each `Confirmed` transfer must have one payment of the right amount, and any other transfer none. */
function payments({ ordered, told, paid }: Evidence): readonly string[] {
  return ordered.flatMap(({ externalId, to, amountUnits }) => {
    const state = told.find((one) => one.externalId === externalId)?.state;
    const found = paid.get(to) ?? [];
    const wanted = state === 'Confirmed' ? [amountUnits] : [];
    if (found.join() === wanted.join()) return [];
    return [`${externalId} is ${state ?? 'unknown'} and the chain paid [${found.join(', ')}] instead of [${wanted.join(', ')}]`];
  });
}

/**
 * The nonces must be 0, 1, 2 and so on. The balance must be the initial funds minus payments and fees. If the chain shows the
 * fees, the fees in the rows must be the same.
 */
function purses({ ordered, told, paid, purses: all }: Evidence): readonly string[] {
  return all.flatMap(({ network, address, fundedUnits, balanceUnits, nonces, feesUnits }) => {
    const own = ordered.filter(({ from }) => from === address);
    const out = sum(own.flatMap(({ to }) => paid.get(to) ?? []));
    const ids = new Set(own.map(({ externalId }) => externalId));
    const fees = sum(told.flatMap((one) => (ids.has(one.externalId) ? [one.feeUnits] : [])));
    const left = fundedUnits - out - (feesUnits ?? fees);
    const sorted = [...(nonces ?? [])].sort((a, b) => a - b);
    const gap = sorted.findIndex((nonce, index) => nonce !== index);
    return [
      ...(gap < 0 ? [] : [`${network} ${address}: nonce ${gap} is missing or used twice among ${sorted.length}`]),
      ...(left === balanceUnits ? [] : [`${network} ${address} holds ${balanceUnits} instead of ${left}`]),
      ...(feesUnits === undefined || feesUnits === fees
        ? []
        : [`${network} ${address}: the chain took ${feesUnits} as fees, the service says ${fees}`]),
    ];
  });
}

/**
 * Each event of an end state (`ENDS`) must exist exactly once, in the order of versions. Every event must have been delivered.
 */
function moments({ told, events, arrived }: Evidence): readonly string[] {
  const seen = new Set(arrived.map(momentKey));
  return told.flatMap(({ id, state }) => {
    const own = events.filter(({ transferId }) => transferId === id).sort((a, b) => a.version - b.version);
    const wanted = ENDS[state] ?? [];
    const missing = wanted.filter((kind) => own.filter((event) => event.kind === kind).length !== 1);
    const order = own.map(({ kind }) => kind).filter((kind) => wanted.includes(kind));
    return [
      ...missing.map((kind) => `${id} is ${state} without exactly one ${kind}`),
      ...(missing.length > 0 || order.join() === wanted.join() ? [] : [`${id}: its events are in the order ${order.join(', ')}`]),
      ...own.filter((event) => !seen.has(momentKey(event))).map(({ kind }) => `${id}: ${kind} never arrived`),
    ];
  });
}

/** The feed must have each event once, in a chain without a fault. */
function feedOf({ eventIds, feed }: Evidence): readonly string[] {
  const read = new Set(feed.eventIds);
  return [
    ...(feed.fault === undefined ? [] : [`the reader of the feed found: ${feed.fault}`]),
    ...eventIds.filter((id) => !read.has(id)).map((id) => `the feed lacks the event ${id}`),
    ...(read.size === feed.eventIds.length ? [] : [`the feed has ${feed.eventIds.length - read.size} events twice`]),
  ];
}

const remains = ({ unrelayed, openClaims }: Evidence): readonly string[] => [
  ...unrelayed.map((id) => `${id} has outbox rows that were not relayed`),
  ...openClaims.map((id) => `${id} has a claim that is open`),
];

const counted = (words: string, word: string): number => words.split(/[ ,]+/).filter((one) => one === word).length;

/**
 * Each group must have ended with at most one accepted output and one archive, and an `Approved` group with exactly one. Each
 * `Confirmed` transfer must have one operation that brought its signatures, one vouch and one record of its signatures.
 */
function offlineOf({ told, offline }: Evidence): readonly string[] {
  const { groups, requests, sealed } = offline;
  const ofGroups = groups.flatMap(({ id, status, outputs }) => {
    const [accepted, checking] = [counted(outputs, 'Accepted'), counted(outputs, 'Checking')];
    const archives = sealed.filter(({ groupId }) => groupId === id).length;
    const most = status === 'Approved' ? [accepted, archives].every((count) => count === 1) : accepted <= 1 && archives <= 1;
    return [
      ...(status === 'Initialized' || status === 'InReview' ? [`the group ${id} is open at the end`] : []),
      ...(most && checking === 0 ? [] : [`the group ${id} is ${status} with ${archives} archives and the outputs: ${outputs}`]),
    ];
  });
  const confirmed = new Set(told.flatMap(({ id, state }) => (state === 'Confirmed' ? [id] : [])));
  const ofRequests = requests.flatMap(({ id, groupId, operations }) => {
    if (!confirmed.has(id)) return [];
    const brought = operations.split(', ').filter((operation) => operation.endsWith(' Approved'));
    return [
      ...(brought.join() === `${groupId} Approved` ? [] : [`${id} was signed in ${operations} instead of ${groupId}`]),
      ...signedFaults(offline, id).map((fault) => `${id}: ${fault}`),
    ];
  });
  return [...ofGroups, ...ofRequests, ...keyFaults(offline).map((fault) => `the offline store: ${fault}`)];
}
