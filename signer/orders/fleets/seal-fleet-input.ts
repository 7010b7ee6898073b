import type { FleetKind } from '../../../domain/fleets';
import { type FleetInput, inputDigest } from '../../../platform/fleets/inputs';
import { statementBytes } from '../../../platform/fleets/statement';
import { assertContinues, assertLife, assertOfGroup, readInput } from '../../judging/fleets/judge-input';
import { type GroupUse, usesOf } from '../../judging/fleets/judge-requests';
import { assertTimely } from '../../judging/order-checks';
import type { CharterPeople } from '../../judging/people/people';
import { type ActiveFreezes, useOf } from '../../record/active-freezes';
import type { Attestor } from '../../record/attestor';
import type { Fleets } from '../../record/fleets/fleets';
import type { KeyLog } from '../../record/key-log';
import type { KeyStores } from '../../record/key-stores';
import { refuseUnless } from '../../wire/refusal';
import type { SealedFleetInput, SealFleetInputOrder } from './fleet-orders';
import { assertTakesKeys, offlineStore } from './offline-store';

type Parts = {
  readonly signerId: string;
  readonly attestor: Attestor;
  readonly stores: Pick<KeyStores, 'find'>;
  readonly fleets: Fleets;
  readonly keyLog: Pick<KeyLog, 'kinOf'>;
  readonly freezes: Pick<ActiveFreezes, 'assertFree'>;
  readonly people: Pick<CharterPeople, 'judgeInput'>;
  readonly nowMs: () => number;
};

const MAKES_KEYS = {
  Genesis: true,
  Clone: false,
  KeyHarvest: true,
  AddProvisioner: false,
  AddMacUser: false,
  OnchainSign: false,
  ProofOfControl: false,
} as const satisfies Readonly<Record<FleetKind, boolean>>;

/**
 * Signs the input of a group. The journal records the input before the reply leaves, so a group has only one input. The same
 * input gets the same signature again.
 */
export function createInputSealer({ signerId, attestor, stores, fleets, keyLog, freezes, people, nowMs }: Parts) {
  const signed = (input: FleetInput): SealedFleetInput => ({
    signed: { by: attestor.publicKeyHex, signature: attestor.sign(statementBytes('input', input as never)) },
  });
  const assertFree = (orgId: string, uses: readonly GroupUse[]) => {
    for (const { key, network } of uses)
      freezes.assertFree({ ...useOf(keyLog.kinOf(key)), orgId, form: key, ...(network === undefined ? {} : { network }) });
  };

  return async (order: SealFleetInputOrder): Promise<SealedFleetInput> => {
    assertTimely(order, nowMs());
    const input = readInput(order.input);
    assertOfGroup(input, order, signerId);
    const { orgId, storeId, groupId, task, manifest } = input;
    const store = offlineStore(stores, orgId, storeId);
    const uses = usesOf(input, { fleets, signedBy: attestor.publicKeyHex });
    assertFree(orgId, uses);
    const digest = inputDigest(input);
    const known = fleets.sealed({ orgId, groupId });
    refuseUnless(known === undefined || known.inputDigest === digest, 'RequestIdReused');
    if (known) return signed(input);
    assertLife(input, nowMs());
    assertContinues(input, fleets.head(orgId, storeId));
    if (MAKES_KEYS[task.kind]) assertTakesKeys(store);
    const asked = people.judgeInput({ input, evidence: order.evidence });
    const entry = { orgId, storeId, groupId, task: task.kind, inputDigest: digest, manifest, ...asked };
    await fleets.recordSealed(entry, order.evidence ?? []);
    return signed(input);
  };
}
