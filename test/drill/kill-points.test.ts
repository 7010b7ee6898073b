import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isInShort, OFFLINE_POINTS, offlineRounds } from '../../drill/fleets/offline-points';
import { MOMENTS, POINTS, REASONS } from '../../drill/kill-points';
import { ROOT } from '../support/compose';
import { activityNames } from '../support/durable-names';

const ALL = [...POINTS, ...OFFLINE_POINTS];
const reported = new Set(ALL.map(({ at }) => at));
const reasons = new Map(Object.entries(REASONS));

test('every activity has each of its moments in the drill, or a written reason why not', () => {
  const missing = activityNames()
    .filter((activity) => !reasons.has(activity))
    .flatMap((activity) => MOMENTS.map((moment) => `${activity}:${moment}`))
    .filter((point) => !reported.has(point) && !reasons.has(point));
  expect(missing).toEqual([]);
});

test('no reason is given for a point at which the drill kills', () => {
  const idle = [...reasons.keys()].filter((name) => {
    const [activity, moment] = name.split(':');
    return moment === undefined ? ALL.some(({ at }) => at.startsWith(`${activity}:`)) : reported.has(name);
  });
  expect(idle).toEqual([]);
});

test('a step that calls another process is killed before the call and after the answer', () => {
  const asking = ['signTransfer', 'broadcastTransfer', 'createWalletKey', 'offerAmendment'];
  for (const activity of [...asking, 'collectRequests', 'sealFleetArchive', 'recordFleetApproval']) {
    expect([...reported]).toEqual(expect.arrayContaining([`${activity}:asked`, `${activity}:answered`]));
  }
});

test('no two rows of the table have the same name', () => {
  const names = ALL.map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

const stepsIn = (path: string) =>
  [...readFileSync(join(ROOT, path), 'utf8').matchAll(/during\('(\w+)'/g)].map(([, step]) => String(step));
const killed = (step: string) =>
  POINTS.filter(({ at }) => at.startsWith(`${step}:`)).map(({ at, network }) => `${network} ${at.slice(step.length + 1)}`);
const both = (networks: readonly string[]) => networks.flatMap((network) => [`${network} committed`, `${network} committing`]);

test('each commit of the scanner that a payment or a reorganisation causes is killed before and after, on each network that can', () => {
  const scanner = readdirSync(join(ROOT, 'activities/scans')).flatMap((file) => stepsIn(`activities/scans/${file}`));
  const ofReorganisation = ['leaveBlocks', 'withdrawMovements', 'removeBlocks'];
  const ofPayment = ['noteLive', 'beginBlocks', 'recordMovements', 'finishBlocks', 'confirmMovements', 'noteConfirmed'];
  expect(scanner.sort()).toEqual([...ofPayment, ...ofReorganisation].sort());
  for (const step of ofPayment) expect(killed(step).sort()).toEqual(both(['BitcoinSignet', 'EthereumSepolia', 'SolanaDevnet']));
  for (const step of ofReorganisation) expect(killed(step).sort()).toEqual(both(['BitcoinSignet', 'EthereumSepolia']));
});

test('the numbering of an audit log is killed before and after its commit', () => {
  for (const step of stepsIn('worker/audit-sequencer.ts')) expect(killed(step).sort()).toEqual(both(['EthereumSepolia']));
  expect(stepsIn('worker/audit-sequencer.ts')).toEqual(['numberAudit']);
});

test('no round holds the scanner of a network at two points', () => {
  const scans = POINTS.filter(({ at }) => /^(begin|finish|leave|remove)Blocks:|Movements:|^note(Live|Confirmed):/.test(at));
  const together = scans.filter(({ alone }) => !alone);
  expect(together.map(({ name }) => name)).toEqual(['scanner: movements before the commit']);
  const rounds = scans.filter(({ alone }) => alone).map(({ at, network }) => `${at} ${network}`);
  expect(rounds.filter((round, index) => rounds.indexOf(round) !== index)).toEqual([]);
});

/** The orders by which a record of the drill reaches an offline store. */
const ORDERS = ['vouchTransfer', 'sealFleetInput', 'recordFleet', 'assignFleetKey', 'recordSignatures'];

test('the signer is killed after each order about an offline store is in the journal, before the answer', () => {
  expect([...reported]).toEqual(expect.arrayContaining(ORDERS.map((order) => `${order}:done`)));
});

test('a round about offline stores leaves the worker room for other steps with the signer', () => {
  const rounds = offlineRounds(OFFLINE_POINTS);
  expect(rounds.flat()).toEqual(OFFLINE_POINTS);
  const withSigner = /^(signTransfer|createWalletKey|sealFleetArchive|collectRequests|checkFleetOutput|recordFleetApproval):/;
  const isHeld = (at: string) => withSigner.test(at) || ORDERS.some((order) => at.startsWith(`${order}:`));
  for (const round of rounds) expect(round.filter(({ at }) => isHeld(at)).length).toBeLessThan(16);
});

test('the short drill has a loss of a vouch and of a record of a fleet', () => {
  const inShort = OFFLINE_POINTS.filter(isInShort).map(({ at }) => at);
  expect(inShort.sort()).toEqual(['recordFleet:done', 'vouchTransfer:done']);
});
