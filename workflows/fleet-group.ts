import {
  CancellationScope,
  condition,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  upsertSearchAttributes,
} from '@temporalio/workflow';
import type { Activities } from '../activities';
import type { FleetStanding, FleetStep } from '../domain/fleet-groups';
import type { FleetState } from '../domain/fleets';
import { routeOf } from '../domain/routes';
import { type FleetGroupInput, fleetGroupChanged } from './fleet-group.messages';
import { DEADLINE, FLEET_KIND, KEY_STORE_ID, STAGE } from './search-keys';
import { fleetDetails, momentInWords } from './ui-text';
import { hasGrownLong, waitForOperator } from './wait-for-operator';

type Open = Exclude<FleetStanding, { next: 'Ended' }>;
type Wake = { group: boolean };

/**
 * Carries a group of fleet operations from its archive to its end. The rows decide; each step reads them again. Ignores
 * cancellation, because nothing else would end the group.
 */
export function fleetGroup(input: FleetGroupInput): Promise<FleetState> {
  return CancellationScope.nonCancellable(() => live(input));
}

async function live(input: FleetGroupInput): Promise<FleetState> {
  const ref = { orgId: input.orgId, groupId: input.id };
  const { main, signer } = activitiesOf(input.orgId);
  const wake: Wake = { group: false };
  setHandler(fleetGroupChanged, () => {
    wake.group = true;
  });
  const renew = async (): Promise<void> => {
    if (hasGrownLong()) await continueAsNew<typeof fleetGroup>({ orgId: input.orgId, id: input.id });
  };
  const steps: Readonly<Record<FleetStep, (standing: Open) => Promise<void>>> = {
    Seal: () => waitForOperator('making the archive', () => signer.sealFleetArchive(ref), renew),
    Check: () => waitForOperator('verifying the output', () => signer.checkFleetOutput(ref), renew),
    Record: () => waitForOperator('recording the approval', () => signer.recordFleetApproval(ref), renew),
    Output: (standing) => waitForPeople(standing),
    Review: (standing) => waitForPeople(standing),
  };

  const waitForPeople = async (standing: Open): Promise<void> => {
    upsertSearchAttributes([{ key: STAGE, value: standing.next === 'Review' ? 'FleetReview' : 'FleetOutput' }]);
    const next = await nextOf(standing, wake);
    upsertSearchAttributes([{ key: STAGE, value: null }]);
    if (next === 'Due') await main.remindOfFleetGroup(ref);
    if (next === 'Ended') await main.lapseFleetGroup(ref);
  };

  for (;;) {
    wake.group = false; // before the read, so that a change during the read is not missed
    const standing = await main.readFleetGroup(ref);
    if (standing.next === 'Ended') {
      setCurrentDetails(`Ended: ${standing.status}.`);
      return standing.status;
    }
    show(standing);
    await steps[standing.next](standing);
    await renew();
  }
}

function activitiesOf(orgId: string) {
  const { main, signer } = routeOf(orgId);
  const retry = { initialInterval: '500 milliseconds', maximumInterval: '15 seconds', backoffCoefficient: 2 } as const;
  return {
    main: proxyActivities<Pick<Activities, 'readFleetGroup' | 'remindOfFleetGroup' | 'lapseFleetGroup'>>({
      ...{ taskQueue: main, startToCloseTimeout: '30 seconds', retry, summary: 'Group of fleet operations' },
    }),
    signer: proxyActivities<Pick<Activities, 'sealFleetArchive' | 'checkFleetOutput' | 'recordFleetApproval'>>({
      ...{ taskQueue: signer, startToCloseTimeout: '60 seconds', retry, summary: 'Group of fleet operations' },
    }),
  };
}

function show(standing: Open): void {
  const ends = Date.now() + standing.endsInMs;
  setCurrentDetails(fleetDetails(standing, ends));
  upsertSearchAttributes([
    { key: KEY_STORE_ID, value: standing.storeId },
    { key: FLEET_KIND, value: standing.kind },
    { key: DEADLINE, value: new Date(ends) },
  ]);
}

/** Waits for a change, the reminder or the end, whichever comes first. */
async function nextOf({ endsInMs, reminderInMs }: Open, wake: Wake): Promise<'Changed' | 'Due' | 'Ended'> {
  const isChanged = () => wake.group;
  if (reminderInMs !== undefined && reminderInMs < endsInMs) {
    if (reminderInMs <= 0) return isChanged() ? 'Changed' : 'Due';
    const summary = `Reminds at ${momentInWords(Date.now() + reminderInMs)}`;
    return (await condition(isChanged, reminderInMs, { summary })) ? 'Changed' : 'Due';
  }
  if (endsInMs <= 0) return 'Ended';
  const summary = `Is canceled at ${momentInWords(Date.now() + endsInMs)}`;
  return (await condition(isChanged, endsInMs, { summary })) ? 'Changed' : 'Ended';
}
