import { createHash } from 'node:crypto';
import { approveGroup } from '../../application/fleets/approve-group';
import type { CeremonyRequest } from '../../application/fleets/ceremony-tasks';
import { createCeremony } from '../../application/fleets/create-group';
import { cancelGroup, rejectGroup } from '../../application/fleets/end-group';
import { headOf } from '../../application/fleets/manifest-head';
import { submitOutput } from '../../application/fleets/submit-output';
import type { Services } from '../../application/services';
import type { Authority } from '../../application/user-actions/act';
import type { CeremonyKind } from '../../domain/fleets';
import type { Database } from '../../entities/database';
import { fleetStore } from '../../entities/fleets/fleet.store';
import { fleetGroupStore } from '../../entities/fleets/fleet-group.store';
import { fleetOutputStore } from '../../entities/fleets/fleet-output.store';
import { type FleetInput, SignedInput } from '../../platform/fleets/inputs';
import type { FleetOutputJson } from '../../platform/fleets/outputs';
import type { Actor } from './actor';
import { ceremonyOutput, createFleet, type Fleet, type MadeOutput, sealOutput } from './fleet-outputs';
import type { Party } from './fleet-parties';
import { createFleetSigner, createFleetSteps } from './fleet-steps';

export const GENESIS = {
  kind: 'Genesis',
  ...{ numProvisioners: 3, threshold: 2, numSecp256k1: 2, numEd25519: 1, hsmGenesisSerial: 'D-1' },
} as const satisfies CeremonyRequest;

export type Submitted = { readonly outputJson: FleetOutputJson; readonly file: string };
export const checksumOf = (file: string): string => createHash('sha256').update(file, 'utf8').digest('hex');

/** The ceremonies of one offline store, with the steps of the service done at once, and devices of the test. */
export function createFleetStory(db: Database, orgId: string, storeId: string, fleet: Fleet = createFleet()) {
  const signer = createFleetSigner();
  const steps = createFleetSteps(db, signer);
  let groupId = '';
  const inGroup = (id: string) => {
    groupId = id;
    return steps.advance({ orgId, groupId: id });
  };
  const services: Services = Object.assign(Object.create(null), {
    db,
    dispatcher: { tryNow: async () => undefined, carryOut: async () => undefined, execute: () => Promise.reject(new Error()) },
    changes: {
      waitFor: async (id: string, read: () => Promise<unknown>) => {
        await inGroup(id);
        return read();
      },
      close: async () => undefined,
    },
  });
  const reader = () => db.read(orgId);
  const authorityOf = async ({ authority }: Actor): Promise<Authority> => authority();

  const story = {
    ...{ signer, steps, services, fleet, storeId },
    /** The group of the last call. */
    groupId: () => groupId,
    ref: () => ({ orgId, groupId }),
    group: async () => {
      const row = await fleetGroupStore.find(reader(), groupId);
      if (!row) throw new Error('no group');
      return row;
    },
    /** Returns the archive. */
    begin: async (by: Actor, request: CeremonyRequest & { readonly abandons?: readonly string[] } = GENESIS) =>
      createCeremony(services, await authorityOf(by), storeId, request),
    /** A genuine output for the archive. */
    output: async (
      archive: string,
      joining?: Party,
      change: (made: MadeOutput) => void = () => undefined,
    ): Promise<Submitted> => {
      const { input }: { readonly input: FleetInput } = SignedInput.parse(JSON.parse(archive));
      const row = await fleetStore.find(reader(), storeId);
      const made = ceremonyOutput({ fleet, input, head: row ? headOf(row) : null, ...(joining ? { joining } : {}) });
      change(made);
      return sealOutput(made) as Submitted;
    },
    submit: async (by: Actor, { outputJson, file }: Submitted, kind: CeremonyKind = 'Genesis') =>
      submitOutput(services, await authorityOf(by), storeId, kind, {
        ...{ outputJson, file: Buffer.from(file, 'utf8'), fileChecksum: checksumOf(file) },
      }),
    approve: async (by: Actor, manifest?: string) => {
      const output = await fleetOutputStore.inState(reader(), groupId, 'Accepted');
      const seen = manifest ?? output?.manifestDigest ?? '';
      return approveGroup(services, await authorityOf(by), { storeId, groupId, manifest: seen });
    },
    reject: async (by: Actor) => rejectGroup(services, await authorityOf(by), { storeId, groupId, reason: 'looks odd' }),
    cancel: async (by: Actor) => cancelGroup(services, await authorityOf(by), { storeId, groupId, reason: 'not needed' }),
  };
  return story;
}
export type FleetStory = ReturnType<typeof createFleetStory>;
