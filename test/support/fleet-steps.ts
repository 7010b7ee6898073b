import { createFleetGroupActivities } from '../../activities/fleets/groups';
import { createFleetActivities } from '../../activities/fleets/signer-steps';
import { AppError } from '../../domain/errors';
import type { FleetGroupRef } from '../../domain/fleet-groups';
import type { Database } from '../../entities/database';
import type { SignerClient } from '../../signer/protocol';
import { APPROVING } from './approving';
import { ANY_CAUSE } from './causes';
import { createParty } from './fleet-parties';
import { MAILING } from './mailing';
import { REFUSING_SIGNER } from './refusing-signer';

type FleetSigner = Parameters<typeof createFleetActivities>[0]['signer'];
type Recorded = Parameters<SignerClient['recordFleet']>[0];
type Proven = Parameters<SignerClient['recordProofs']>[0];
type Sealed = Parameters<SignerClient['sealFleetInput']>[0];

export type DoubleOfSigner = FleetSigner & {
  readonly sealed: Sealed[];
  readonly recorded: Recorded[];
  readonly proven: Proven[];
  /** Runs before each reply, and can throw. */
  before: (op: 'seal' | 'record' | 'prove') => void | Promise<void>;
  /** Runs after the order took effect, and can throw as if the reply were lost. */
  after: (op: 'seal' | 'record' | 'prove') => void | Promise<void>;
};

export const refusedBySigner = (reason: string): AppError =>
  new AppError('SignerRefused', `The signer refused the order: ${reason}`, { reason, nothingSigned: true });

const refused = (): Promise<never> => Promise.reject(new Error('no request is signed here'));

/** Signs inputs as the signer does, and remembers what it was asked to record. It judges nothing. */
export function createFleetSigner(): DoubleOfSigner {
  const identity = createParty('Operator', 'signer');
  const signer: DoubleOfSigner = {
    ...{ withdraw: refused, signPayload: refused },
    ...{ ...REFUSING_SIGNER, sealed: [], recorded: [], proven: [], before: () => undefined, after: () => undefined },
    health: async () => ({ signerId: 'signer-1' }) as never,
    sealFleetInput: async (order) => {
      await signer.before('seal');
      signer.sealed.push(order);
      await signer.after('seal');
      return { signed: identity.state('input', JSON.parse(order.input)) };
    },
    recordFleet: async (order) => {
      await signer.before('record');
      signer.recorded.push(order);
      await signer.after('record');
      return { manifest: 'a'.repeat(64), n: 0, keys: 0 };
    },
    recordProofs: async (order) => {
      await signer.before('prove');
      signer.proven.push(order);
      await signer.after('prove');
      return {};
    },
  };
  return signer;
}

/** The steps of the service, without a workflow that calls them. */
export function createFleetSteps(db: Database, signer: FleetSigner) {
  const steps = {
    ...createFleetGroupActivities({ db, ...MAILING }),
    ...createFleetActivities({ ...APPROVING, causes: ANY_CAUSE, db, signer }),
  };
  return {
    ...steps,
    /** Does the steps of the service until the group waits for people or has ended, as its workflow does. */
    advance: async (ref: FleetGroupRef): Promise<string> => {
      for (;;) {
        const { next } = await steps.readFleetGroup(ref);
        if (next === 'Seal') await steps.sealFleetArchive(ref);
        else if (next === 'Check') await steps.checkFleetOutput(ref);
        else if (next === 'Record') await steps.recordFleetApproval(ref);
        else return next;
      }
    },
  };
}
export type FleetSteps = ReturnType<typeof createFleetSteps>;
