import { setTimeout as delay } from 'node:timers/promises';
import { type Cell, giveWallet, newCell, play } from './cases';
import { faultsOf } from './checks';
import { giveVaults } from './fleets/vaults';
import { keepGate } from './gatekeeper';
import { isCharterStory, isTenantStory, isVaultStory, type Launch, type Point, type Story } from './kill-points';
import { leaveCoins } from './left-coins';
import { openOffices } from './office';
import type { Role, Stage } from './rig';
import { openTenants } from './tenants/tenants';

/**
 * `disk`: the signer is killed, its folder is lost, and the replica is promoted. `takeover`: the replica is promoted while the
 * earlier signer still runs.
 */
export type Victim = Role | 'group' | 'disk' | 'takeover';

/** `strike` breaks the service once each record is at its point, and `mend` brings the service back. */
export type Blow = {
  readonly victim: Victim;
  readonly strike: () => Promise<void>;
  readonly mend: () => Promise<void>;
  /** Called once all records have ended. Returns further differences. */
  readonly end?: () => Promise<readonly string[]>;
};

export const killing = (stage: Stage, victim: Role | 'group'): Blow =>
  victim === 'group'
    ? { victim, strike: stage.killGroup, mend: stage.startGroup }
    : { victim, strike: () => stage.kill(victim), mend: () => stage.restart(victim) };

/** `faults` is empty if the cell passed. */
export type Outcome = { readonly point: Point; readonly victim: Victim; readonly faults: readonly string[] };

const WALLETS_AT_ONCE = 6;
/**
 * How long `early` records run before the `normal` records start. An `early` record waits a minute, for the expiry of its
 * approval or for its second delivery attempt.
 */
const EARLY_NEEDS_MS = 50_000;
const REACHED_LIMIT_MS = 45_000;
const EARLY_LIMIT_MS = 75_000;
/** A record of an offline store passes three workflows one after the other. */
const OFFLINE_LIMIT_MS = 90_000;
/** In this time the other processes run without the victim. */
const DOWN_MS = 1_000;
/** Temporal retries the activities of a killed worker after their time-out of 30 seconds. */
const END_LIMIT_MS = 150_000;
const LOOK_AGAIN_MS = 1_000;

/**
 * Brings each record to its point, strikes the victim, and brings the victim back. Returns the differences from the required
 * state that remain.
 */
export async function playRound(
  stage: Stage,
  name: string,
  { victim, strike, mend, end }: Blow,
  points: readonly Point[],
): Promise<readonly Outcome[]> {
  const cells = points.map((point, index) => newCell(name, index, point));
  const gate = keepGate(stage, cells);
  const launched = (launch: Launch) => cells.filter(({ point }) => point.launch === launch);
  const reached = (some: readonly Cell[], limitMs: number) => until(limitMs, async () => some.every((cell) => cell.reached));

  const left = cells.filter(({ point }) => point.story === 'left');
  const coinsLeft = leaveCoins(stage, left).catch((error: unknown) => {
    for (const { complaints } of left) complaints.push(`no left coin could be prepared for it: ${String(error)}`);
  });
  const chartered = cells.filter(({ point }) => isCharterStory(point.story));
  const tenants = cells.filter(({ point }) => isTenantStory(point.story));
  const offline = cells.filter(({ point }) => isVaultStory(point.story));
  await Promise.all([
    ...[openOffices(stage, chartered), openTenants(stage, tenants), giveVaults(stage, offline)],
    giveWallets(stage, cells),
  ]);
  redeliver(stage, cells);
  const early = launched('early');
  for (const cell of early) play(stage, cell);
  const earlyDue = delay(early.length > 0 ? EARLY_NEEDS_MS : 0);
  // Records that must pass many steps start first, because held records later block the signer and the network.
  for (const launch of ['settled', 'follower', 'normal'] as const) {
    if (launch === 'normal') await Promise.all([earlyDue, coinsLeft]);
    for (const cell of launched(launch)) play(stage, cell);
    await reached(launched(launch), offline.length > 0 ? OFFLINE_LIMIT_MS : REACHED_LIMIT_MS);
  }
  await reached(early, EARLY_LIMIT_MS);
  for (const cell of launched('queued')) play(stage, cell);
  await reached(launched('queued'), REACHED_LIMIT_MS);

  await strike();
  gate.releaseAll();
  await delay(DOWN_MS);
  await mend();

  await Promise.all(cells.map(({ played }) => played));
  const faults = await settled(stage, cells);
  const more = (await end?.()) ?? [];
  return cells.map((cell, at) => {
    const unreached = cell.reached ? [] : ['the point was not reached'];
    const own = faults.get(cell) ?? ['not checked'];
    return { point: cell.point, victim, faults: [...unreached, ...cell.complaints, ...own, ...(at === 0 ? more : [])] };
  });
}

async function giveWallets(stage: Stage, cells: readonly Cell[]): Promise<void> {
  const needNone = (story: Story) =>
    story === 'wallet' || story === 'left' || isCharterStory(story) || isTenantStory(story) || isVaultStory(story);
  const payers = cells.filter(({ point }) => !needNone(point.story));
  for (let at = 0; at < payers.length; at += WALLETS_AT_ONCE)
    await Promise.all(payers.slice(at, at + WALLETS_AT_ONCE).map((cell) => giveWallet(stage, cell)));
}

/** Repeats the checks until no difference is left or the time limit has passed. */
async function settled(stage: Stage, cells: readonly Cell[]): Promise<ReadonlyMap<Cell, readonly string[]>> {
  let last: ReadonlyMap<Cell, readonly string[]> = new Map();
  await until(END_LIMIT_MS, async () => {
    last = await faultsOf(stage, cells).catch(
      (error: unknown) => new Map(cells.map((cell) => [cell, [`it could not be checked: ${String(error)}`]])),
    );
    return [...last.values()].every((faults) => faults.length === 0);
  });
  return last;
}

async function until(limitMs: number, done: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await done()) && performance.now() < deadline) await delay(LOOK_AGAIN_MS);
}

/** The receiver refuses only the first delivery of `wallet.transfer.requested` for each record of the story `redelivered`. */
function redeliver(stage: Stage, cells: readonly Cell[]): void {
  const wallets = cells.flatMap(({ point, wallet }) => (point.story === 'redelivered' && wallet ? [wallet.id] : []));
  stage.receiver.answerWith(({ kind, deliveryAttempt, text }) =>
    deliveryAttempt === 1 && kind === 'wallet.transfer.requested' && wallets.some((id) => text.includes(id)) ? 500 : 200,
  );
}
