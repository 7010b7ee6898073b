import { parseArgs } from 'node:util';
import { z } from 'zod';
import { TAG_OF } from './cases';
import { PARTIES } from './chaos/actors';
import { drillConfig } from './config';
import { runFaults } from './faults/run-faults';
import { isInShort, OFFLINE_POINTS, offlineRounds } from './fleets/offline-points';
import { foundVaults } from './fleets/vaults';
import { POINTS, type Point } from './kill-points';
import { REPLICA_POINTS } from './replica-points';
import { drillReplica, REPLICA_VICTIMS } from './replica-rounds';
import { openStage, ROLES, type Role, type Stage } from './rig';
import { killing, type Outcome, playRound, type Victim } from './round';
import { faultsIn, tableOf } from './table';

const KILLED: readonly (Role | 'group')[] = [...ROLES, 'group'];
const VICTIMS: readonly Victim[] = [...new Set([...KILLED, ...REPLICA_VICTIMS])];
const SHORT: readonly Victim[] = ['worker', 'group', 'replica', 'disk'];
const EXPIRES_AFTER_MINUTES = 1;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** Creates the webhook and the policies that every round needs. */
async function prepareOrganisation(stage: Stage): Promise<void> {
  const admin = stage.client('admin');
  await admin.change('POST', '/webhooks', { url: stage.receiver.url, events: ['*'], description: 'drill' }, z.unknown());
  const approvers = { userId: { in: [stage.userId('approver')] } };
  const hold = async (tag: string | undefined, more: object) => {
    const approvalGroups = [{ name: 'Drill', quorum: 1, approvers }];
    const action = { kind: 'RequestApproval', approvalGroups, ...more };
    const filters = { walletTags: { hasAny: [tag] } };
    const rule = { kind: 'AlwaysTrigger' };
    await admin.change('POST', '/v2/policies', { name: tag, activityKind: 'Wallets:Sign', rule, filters, action }, z.unknown());
  };
  await hold(TAG_OF.held, {});
  await hold(TAG_OF.expired, { autoRejectTimeout: EXPIRES_AFTER_MINUTES });
}

/**
 * Each victim gets one round with all points that are not `alone`, rounds with the points of offline stores, and a round for each
 * moment of the `alone` points. With `short`, each victim gets only the first of these rounds, without `early` records. Only
 * `worker` then gets the story `left`, and only `group` gets offline stores. The rounds with a replica come last, because the
 * signer keeps the replica from then on.
 */
async function drillPoints(stage: Stage, victims: readonly Victim[], options: Options): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const isNamed = ({ name, at }: Point) => options.points === undefined || `${at} ${name}`.includes(options.points);
  const killed = KILLED.filter((victim) => victims.includes(victim));
  const wanted = POINTS.filter((point) => isNamed(point) && options.nodes.includes(PARTIES[point.network].port));
  const offline = OFFLINE_POINTS.filter(isNamed);
  const together = wanted.filter((point) => !point.alone);
  const alone = wanted.filter((point) => point.alone);
  const moments = [...new Set(alone.map(({ at }) => at))];
  const inShort = (victim: Victim) => [
    ...together.filter(({ launch, story }) => launch !== 'early' && (story !== 'left' || victim === 'worker')),
    ...offline.filter((point) => victim === 'group' && isInShort(point)),
  ];
  const rounds = [
    ...killed.map((victim) => ({ victim, points: options.short ? inShort(victim) : together })),
    ...(options.short ? [] : killed).flatMap((victim) => offlineRounds(offline).map((points) => ({ victim, points }))),
    ...(options.short ? [] : killed).flatMap((victim) =>
      moments.map((moment) => ({ victim, points: alone.filter(({ at }) => at === moment) })),
    ),
  ];
  const carried = rounds.map(({ points }) => points.filter(({ story }) => story === 'carried').length);
  await foundVaults(stage, Math.max(0, ...carried));
  for (const [index, { victim, points }] of rounds.entries()) {
    if (points.length === 0) continue;
    const began = performance.now();
    const round = await playRound(stage, `${victim}-${index}-${Date.now()}`, killing(stage, victim), points);
    outcomes.push(...round);
    sayRound(victim, round, began);
  }
  if (outcomes.length > 0) say(`\n${tableOf([...wanted, ...offline], killed, outcomes)}`);
  const copied = await drillReplica(stage, victims, { short: options.short, isNamed, say: sayRound });
  if (copied.length > 0) say(`\n${tableOf(REPLICA_POINTS, REPLICA_VICTIMS, copied)}`);
  return [...outcomes, ...copied];
}

function sayRound(victim: Victim, round: readonly Outcome[], began: number): void {
  const failed = round.filter(({ faults }) => faults.length > 0).length;
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  say(`${victim} killed at ${round.length} points, ${failed} of them failed (${seconds} s)`);
}

/** The drill omits the points of a network whose node does not run. `nodes` has the names of the nodes that run. */
type Options = { readonly short: boolean; readonly points: string | undefined; readonly nodes: readonly string[] };

async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: {
      short: { type: 'boolean', default: false },
      victims: { type: 'string' },
      points: { type: 'string' },
      faults: { type: 'boolean', default: false },
      fault: { type: 'string' },
    },
  });
  if (values.faults || values.fault !== undefined) return drillFaults(values.fault);
  const asked: readonly string[] = values.victims?.split(',') ?? (values.short ? SHORT : VICTIMS);
  const victims: readonly Victim[] = VICTIMS.filter((victim) => asked.includes(victim));
  const config = drillConfig();
  const stage = await openStage(config, { gated: true });
  process.once('SIGTERM', () => void stage.close().then(() => process.exit(130)));
  try {
    await prepareOrganisation(stage);
    const outcomes = await drillPoints(stage, victims, {
      short: values.short,
      points: values.points,
      nodes: ['chain', ...config.LOCAL_NETWORKS.split(',')],
    });
    const faults = faultsIn(outcomes);
    for (const fault of faults) say(`  ${fault}`);
    for (const death of stage.deaths()) say(`  ended without being killed: ${death}`);
    const failed = outcomes.filter((outcome) => outcome.faults.length > 0).length;
    say(`\n${outcomes.length - failed} cells passed, ${failed} failed`);
    if (failed > 0 || stage.deaths().length > 0) return false;
  } finally {
    await stage.close();
  }
  const everything = victims.length === VICTIMS.length && values.points === undefined;
  return everything ? drillFaults(undefined) : true;
}

/** On this stage no process reports points, so no process is held. */
async function drillFaults(only: string | undefined): Promise<boolean> {
  const stage = await openStage(drillConfig(), { gated: false });
  process.once('SIGTERM', () => void stage.close().then(() => process.exit(130)));
  try {
    const { failed } = await runFaults(stage, { say, only });
    return failed === 0;
  } finally {
    await stage.close();
  }
}

main().then(
  (passed) => {
    process.exitCode = passed ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  },
);
