import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MOMENTS, POINTS, REASONS } from '../../drill/kill-points';
import { ROOT } from '../support/compose';
import { activityNames } from '../support/durable-names';

const reported = new Set(POINTS.map(({ at }) => at));
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
    return moment === undefined ? POINTS.some(({ at }) => at.startsWith(`${activity}:`)) : reported.has(name);
  });
  expect(idle).toEqual([]);
});

test('a step that calls another process is killed before the call and after the answer', () => {
  for (const activity of ['signTransfer', 'broadcastTransfer', 'createWalletKey', 'offerAmendment']) {
    expect([...reported]).toEqual(expect.arrayContaining([`${activity}:asked`, `${activity}:answered`]));
  }
});

test('no two rows of the table have the same name', () => {
  const names = POINTS.map(({ name }) => name);
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
