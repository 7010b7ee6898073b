import type { Point } from './kill-points';
import { QUEUED, REPLICA_POINTS } from './replica-points';
import { openReplication } from './replication';
import type { Stage } from './rig';
import { type Blow, killing, type Outcome, playRound, type Victim } from './round';

export const REPLICA_VICTIMS: readonly Victim[] = ['signer', 'replica', 'disk', 'takeover', 'group'];
/**
 * The short drill has one loss of the replica and one loss of the signer's disk. The whole drill has every victim at every point.
 */
const SHORT: readonly (readonly [at: string, victim: Victim])[] = [
  ['keepBatch:written', 'replica'],
  ['replicateBatch:done', 'disk'],
];
const QUEUED_RECORDS = 3;

type Options = {
  readonly short: boolean;
  readonly isNamed: (point: Point) => boolean;
  readonly say: (victim: Victim, round: readonly Outcome[], began: number) => void;
};

/**
 * Gives the signer a replica, which the signer then keeps. Strikes each victim at each point of a batch on the way to the
 * replica.
 */
export async function drillReplica(
  stage: Stage,
  victims: readonly Victim[],
  { short, isNamed, say }: Options,
): Promise<readonly Outcome[]> {
  const chosen = REPLICA_VICTIMS.filter((victim) => victims.includes(victim)).flatMap((victim) =>
    REPLICA_POINTS.filter(isNamed).map((point) => ({ victim, point })),
  );
  const wanted = short
    ? chosen.filter(({ victim, point }) => SHORT.some(([at, of]) => at === point.at && of === victim))
    : chosen;
  if (wanted.length === 0) return [];
  const outcomes: Outcome[] = [];
  const { lostDisk, takeover, end } = await openReplication(stage);
  const blowOf = (victim: Victim): Blow => {
    if (victim === 'disk') return lostDisk;
    return victim === 'takeover' ? takeover : killing(stage, victim);
  };
  try {
    for (const [index, { victim, point }] of wanted.entries()) {
      const began = performance.now();
      const blow = blowOf(victim);
      const points = [point, ...Array.from({ length: QUEUED_RECORDS }, () => QUEUED)];
      const round = await playRound(stage, `replica-${victim}-${index}-${Date.now()}`, blow, points);
      outcomes.push(...round);
      say(victim, round, began);
    }
  } finally {
    end();
  }
  return outcomes;
}
