import type { KeyObject } from 'node:crypto';
import { DAY_MS } from '../../../../domain/durations';
import type { FleetCurve } from '../../../../domain/fleets';
import { canonical } from '../../../../platform/canonical';
import type { FleetInput, FleetKey } from '../../../../platform/fleets/inputs';
import type { FleetManifest, SignedManifest } from '../../../../platform/fleets/manifests';
import type { SealedFleetInput } from '../../../../signer/orders/fleets/fleet-orders';
import {
  ceremonyOutput,
  createFleet,
  type Fleet,
  fleetInput,
  genesisTask,
  type MadeOutput,
  sealOutput,
} from '../../../support/fleet-outputs';
import { keyOf } from '../../../support/fleet-parties';
import { NOW_MS, ORG, type openOperations } from '../../fixtures';
import { adding, entryText, OFFLINE, signedBy } from '../../key-stores/storing';

export type Signer = Awaited<ReturnType<typeof openOperations>>;
export { OFFLINE };

export const momentAt = (nowMs = NOW_MS) => ({
  issuedAt: new Date(nowMs).toISOString(),
  notAfter: new Date(nowMs + 60_000).toISOString(),
});

/** The operator adds an offline store. */
export const addStore = (signer: Signer, operator: KeyObject, storeId = OFFLINE) =>
  signer.keyStores.changeKeyStores(signedBy(operator, entryText(signer, adding(storeId))));

export const inputFor = (
  { health }: Pick<Signer, 'health'>,
  task: FleetInput['task'],
  head: FleetManifest | null,
  given: Partial<FleetInput> = {},
): FleetInput =>
  fleetInput(task, head, {
    ...{ signerId: health().signerId, orgId: ORG, storeId: OFFLINE },
    ...{ dateIssued: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + DAY_MS).toISOString() },
    ...given,
  });

export const sealOrder = (input: FleetInput, changes: object = {}) => ({
  ...{ requestId: input.groupId, orgId: input.orgId, input: canonical(input as never) },
  ...momentAt(),
  ...changes,
});

export const PEOPLE = { createdBy: 'us-ada', submittedBy: 'us-ben', reviewedBy: 'us-cyd' } as const;

export const recordOrder = (input: FleetInput, { signed }: SealedFleetInput, made: MadeOutput, changes: object = {}) => {
  const { outputJson, file } = sealOutput(made);
  return {
    ...{ requestId: input.groupId, orgId: input.orgId, input: canonical({ input, signed } as never) },
    ...{ outputJson: JSON.stringify(outputJson), file, ...PEOPLE },
    ...momentAt(),
    ...changes,
  };
};

export const manifestIn = ({ output }: MadeOutput): FleetManifest => (output.manifest as SignedManifest).manifest;

/** A store after an approved genesis. */
export async function withGenesis(signer: Signer, fleet: Fleet = createFleet(), storeId = OFFLINE) {
  const input = inputFor(signer, genesisTask({ secp256k1: 4, ed25519: 2 }), null, { storeId });
  const sealed = await signer.sealFleetInput(sealOrder(input));
  const made = ceremonyOutput({ fleet, input, head: null });
  const recorded = await signer.recordFleet(recordOrder(input, sealed, made));
  return { fleet, input, sealed, made, recorded, head: manifestIn(made) };
}

export const poolKey = (fleet: Fleet, index: number, curve: FleetCurve = 'secp256k1'): FleetKey =>
  keyOf(fleet.master, curve, index);

const SCHEMES = { secp256k1: 'ECDSA', ed25519: 'EdDSA' } as const;
export const formOf = ({ curve, publicKey }: FleetKey) => ({ scheme: SCHEMES[curve], curve, publicKeyHex: publicKey });

export const assignOrder = (key: FleetKey, keyId: string, changes: object = {}) => ({
  ...{ requestId: `assign-${keyId}`, orgId: ORG, storeId: OFFLINE, keyId },
  ...formOf(key),
  ...changes,
});
