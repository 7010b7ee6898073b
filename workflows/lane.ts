import { continueAsNew, proxyActivities, setCurrentDetails, sleep } from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { LaneTroubleKind } from '../domain/lanes';
import { routeOf } from '../domain/routes';
import type { LaneInput } from './lane.messages';

/** This bound keeps the history far below the server's limits. */
const LOOKS_MAX = 50;
const LOOK_MS = 5_000;
/** The longest pause between two checks, while nothing changes. */
const LOOK_MAX_MS = 60_000;

/**
 * Cares for one sender's stuck transactions on one network. All state apart from the memory of the last check is in the rows,
 * so no work is lost if the workflow is ended.
 */
export async function lane({ orgId, id, routing, memory }: LaneInput): Promise<'Healthy'> {
  const { network, address } = routing;
  const { careForLane } = proxyActivities<Activities>({
    taskQueue: routeOf(orgId).chain(network),
    startToCloseTimeout: '2 minutes',
    retry: { initialInterval: '1 second', maximumInterval: '1 minute', backoffCoefficient: 2 },
    summary: `Looks after ${address}`,
  });
  let last = memory;
  let pauseMs = LOOK_MS;
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const look = await careForLane({ orgId, network, address, ...(last === undefined ? {} : { memory: last }) });
    if (look.kind === 'Healthy') return 'Healthy';
    const isNew = look.acted || look.memory.found !== last?.found || look.memory.count !== last.count;
    pauseMs = isNew ? LOOK_MS : Math.min(pauseMs * 2, LOOK_MAX_MS);
    last = look.memory;
    setCurrentDetails(detailsOf(look.trouble, look.acted));
    await sleep(pauseMs, { summary: 'Until the next check' });
  }
  return continueAsNew<typeof lane>({ orgId, id, routing, ...(last === undefined ? {} : { memory: last }) });
}

const WORDS: Readonly<Record<LaneTroubleKind, string>> = {
  NonceMissing: 'No request holds the nonce that comes first',
  NotSent: 'The transaction whose nonce comes first is not sent yet: see its own workflow',
  HeldElsewhere: 'The nonce that comes first was signed for a caller who has not sent it',
  Underpriced: 'The network asks for more than the first transaction offers',
  FeesAboveCeiling: 'The network asks for more than was approved for the first transaction',
  WouldFail: 'Nodes do not accept the first transaction, because it would fail at present',
};

const detailsOf = (trouble: LaneTroubleKind | null, acted: boolean): string =>
  trouble === null
    ? 'Waits for the next block.'
    : `${WORDS[trouble]}. ${acted ? 'It is being fixed.' : 'It will be checked again.'}`;
