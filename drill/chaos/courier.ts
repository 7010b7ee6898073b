import { setTimeout as delay } from 'node:timers/promises';
import { ApiError } from '../../local/client';
import type { Files } from '../../offline-signer/session';
import { canonical } from '../../platform/canonical';
import { type CarriedArchive, groupArchive, holdGenesis, sendOutput } from '../fleets/carry';
import type { Vault } from '../fleets/vault';
import { addOfflineStore, newMachines } from '../fleets/vaults';
import type { Stage } from '../rig';
import type { Random } from './random';

/** The device of a run, and the courier who carries archives between the device and the service. */
export type Courier = {
  readonly vault: Vault;
  /** Begins to carry archives. */
  readonly start: () => void;
  /** From now on the device signs everything, and nothing is submitted twice. */
  readonly becomeReliable: () => void;
  /** Ends the work. Returns one line for each answer that the service must not give. */
  readonly end: () => Promise<readonly string[]>;
};

/** A share of the trips, or of the requests for `refuses`. */
const SHARES = { refuses: 0.15, submitsTwice: 0.3, submitsOld: 0.3 } as const;
const TRIP_MS = { low: 0, high: 6_000 } as const;
const PAUSE_MS = 1_000;
const FOUNDED_WITHIN_MS = 60_000;

type Trip = CarriedArchive & { readonly files: Files };
type Answer = 'Accepted' | 'Refused' | 'Unknown';

/** The service may have taken an output whose reply is lost. */
async function answerTo(vault: Vault, files: Files): Promise<Answer> {
  try {
    await sendOutput(vault, 'onchain-sign', files);
    return 'Accepted';
  } catch (error) {
    // A verified output without a signature ends its group.
    if (error instanceof ApiError && error.code === 'NothingSigned') return 'Accepted';
    return error instanceof ApiError && error.status < 500 && error.status !== 429 ? 'Refused' : 'Unknown';
  }
}

/** Adds an offline store to the organisation of the stage, and gives it a fleet. `agrees` is as in `createMachines`. */
async function openVault(stage: Stage, agrees: () => boolean): Promise<Vault> {
  const storeId = await addOfflineStore(stage, stage.orgId());
  const vault: Vault = { orgId: stage.orgId(), storeId, client: stage.client, machines: await newMachines(stage, agrees) };
  await holdGenesis(vault, performance.now() + FOUNDED_WITHIN_MS);
  return vault;
}

export async function openCourier(stage: Stage, random: Random, say: (line: string) => void): Promise<Courier> {
  const counts = { groups: 0, refusals: 0, twice: 0, old: 0 };
  const faults: string[] = [];
  const trips: Trip[] = [];
  let isMoody = false;
  let isWorking = true;
  const happens = (share: number) => isMoody && random.share() < share;
  const agrees = () => {
    const isRefused = happens(SHARES.refuses);
    if (isRefused) counts.refusals += 1;
    return !isRefused;
  };
  const vault = await openVault(stage, agrees);

  /** The device gives the files of its last archive again, and refuses an older archive. */
  const carryOld = async ({ groupId, archive, files }: Trip): Promise<void> => {
    counts.old += 1;
    const again = await vault.machines.sign(archive).catch(() => files);
    if (canonical(again) !== canonical(files)) faults.push(`the device signed the archive of ${groupId} a second time`);
    const answer = await answerTo(vault, again);
    if (answer === 'Accepted') faults.push(`the service accepted an output of ${groupId}, which had ended`);
  };
  const submit = async (trip: Trip): Promise<void> => {
    const isTwice = happens(SHARES.submitsTwice);
    if (isTwice) counts.twice += 1;
    const answers = await Promise.all(Array.from({ length: isTwice ? 2 : 1 }, () => answerTo(vault, trip.files)));
    if (answers.filter((answer) => answer === 'Accepted').length > 1)
      faults.push(`the service accepted two outputs of ${trip.groupId}`);
  };
  const travel = async (): Promise<void> => {
    const carried = await groupArchive(vault, 'onchain-sign', {});
    const known = trips.find(({ groupId }) => groupId === carried.groupId);
    if (known && known.archive !== carried.archive) faults.push(`the archive of ${carried.groupId} has changed`);
    const [old] = trips.filter(({ groupId }) => groupId !== carried.groupId).slice(-random.whole(1, 3));
    if (old && happens(SHARES.submitsOld)) await carryOld(old);
    if (isMoody) await delay(random.whole(TRIP_MS.low, TRIP_MS.high));
    const trip = known ?? { ...carried, files: await vault.machines.sign(carried.archive) };
    if (!known) {
      counts.groups += 1;
      trips.push(trip);
    }
    await submit(trip);
  };
  const work = async (): Promise<void> => {
    while (isWorking) {
      // A trip fails if nothing waits for the device, or if a part of the service is down.
      await travel().catch(() => undefined);
      await delay(PAUSE_MS);
    }
  };
  let working = Promise.resolve();
  return {
    vault,
    start: () => {
      isMoody = true;
      working = work();
    },
    becomeReliable: () => {
      isMoody = false;
    },
    end: async () => {
      const wasWorking = isWorking;
      isWorking = false;
      await working;
      const { groups, refusals, twice, old } = counts;
      if (wasWorking) say(`device: ${groups} groups, ${refusals} refused requests, ${twice} outputs twice, ${old} old outputs`);
      return faults;
    },
  };
}
