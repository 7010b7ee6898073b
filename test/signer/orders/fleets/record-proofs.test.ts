import { generateKeyPairSync } from 'node:crypto';
import { decoderOf } from '../../../../chains/decoders';
import { canonical } from '../../../../platform/canonical';
import type { FleetInput } from '../../../../platform/fleets/inputs';
import type { FleetManifest } from '../../../../platform/fleets/manifests';
import type { SignOutputJson } from '../../../../platform/fleets/outputs';
import type { SealedFleetInput } from '../../../../signer/orders/fleets/fleet-orders';
import { removeIndexes } from '../../../../signer/wire/operator-api';
import { createFleet, type Fleet, type MadeOutput, sealOutput } from '../../../support/fleet-outputs';
import { createParty } from '../../../support/fleet-parties';
import { withProofs } from '../../../support/proof-inputs';
import { madeProofs } from '../../../support/proving-api';
import { NOW_MS, openOperations, refusedAs, temporaryFolder } from '../../fixtures';
import { addStore, assignOrder, inputFor, momentAt, poolKey, type Signer, sealOrder, withGenesis } from './fleeting';

const operator = generateKeyPairSync('ed25519');
let folder: ReturnType<typeof temporaryFolder>;
let signer: Signer;
let fleet: Fleet;
let head: FleetManifest;
let input: FleetInput;
let sealed: SealedFleetInput;
const open = () => openOperations(folder.path, () => NOW_MS, undefined, undefined, operator.publicKey);
beforeEach(async () => {
  folder = temporaryFolder();
  signer = await open();
  await addStore(signer, operator.privateKey);
  ({ fleet, head } = await withGenesis(signer));
  for (const index of [0, 1]) await signer.assignFleetKey(assignOrder(poolKey(fleet, index), `key-off-${index}`));
  input = inputOf('fg-proofs');
  sealed = await signer.sealFleetInput(sealOrder(input));
});
afterEach(async () => {
  await signer.close();
  folder.remove();
});

const inputOf = (groupId: string): FleetInput =>
  withProofs(
    inputFor(signer, { kind: 'ProofOfControl', requests: [] }, head, { groupId }),
    [0, 1].map((index) => {
      const key = poolKey(fleet, index);
      const address = decoderOf('EthereumSepolia').addressOf(key.publicKey);
      return { operationId: `op-${index}`, walletId: `wa-${index}`, network: 'EthereumSepolia', address, key };
    }),
  );

const orderOf = (made: MadeOutput, changes: object = {}, { signed } = sealed) => {
  const { outputJson, file } = sealOutput(made);
  return {
    ...{ requestId: input.groupId, orgId: input.orgId, input: canonical({ input, signed } as never) },
    ...{ outputJson: JSON.stringify(outputJson), file, ...momentAt(), ...changes },
  };
};
const proofs = (refused: readonly string[] = [], of = fleet) => madeProofs(of, input, refused);

test('the proofs of a device are recorded once, also after a rebuild of the index, and no other output of the group is', async () => {
  const order = orderOf(proofs(['wa-1']));
  await expect(signer.recordProofs(order)).resolves.toEqual({});
  await signer.close();
  await removeIndexes(folder.path);
  signer = await open();
  await expect(signer.recordProofs(order)).resolves.toEqual({});
  await expect(signer.recordProofs(orderOf(proofs()))).rejects.toEqual(refusedAs('RequestIdReused'));
});

test('of two outputs at once one is recorded', async () => {
  const orders = [orderOf(proofs()), orderOf(proofs(['wa-0']))];
  const results = await Promise.allSettled(orders.map((order) => signer.recordProofs(order)));
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('an input of another signer, group or organisation is refused', async () => {
  const thief = createParty('Operator', 'signer');
  await expect(signer.recordProofs(orderOf(proofs(), {}, { signed: thief.state('input', input) }))).rejects.toEqual(
    refusedAs('FleetInputMismatch'),
  );
  for (const changes of [{ requestId: 'fg-else' }, { orgId: 'or-00000-00000-0000000000000002' }])
    await expect(signer.recordProofs(orderOf(proofs(), changes))).rejects.toEqual(refusedAs('FleetInputMismatch'));
  input = inputOf('fg-unsealed');
  await expect(signer.recordProofs(orderOf(proofs()))).rejects.toEqual(refusedAs('FleetInputMismatch'));
});

function success({ outputJson }: MadeOutput): object {
  const [first] = Object.values((outputJson as SignOutputJson).outputs);
  if (first?.type !== 'proof-of-control-v1' || !('success' in first.result)) throw new Error('the output has a proof');
  return first.result.success;
}
const FAULTS: readonly (readonly [string, () => MadeOutput])[] = [
  ['without a proof', () => proofs(['wa-0', 'wa-1'])],
  ['by the keys of another fleet', () => proofs([], { ...fleet, master: 'another' })],
  ['by a device of another fleet', () => proofs([], { ...createFleet(), master: fleet.master })],
  ['with another message', () => changed({ message: 'We owe you the moon.' })],
  ['without the prefix', () => changed({ prefix: '' })],
  ['over other bytes', () => changed({ exact_bytes_signed: '00' })],
  ['with another public key', () => changed({ signer_public_key: poolKey(fleet, 1).publicKey })],
];
function changed(changes: object): MadeOutput {
  const made = proofs();
  Object.assign(success(made), changes);
  return made;
}

test.each(FAULTS)('an output %s is refused', async (_title, made) => {
  await expect(signer.recordProofs(orderOf(made()))).rejects.toEqual(refusedAs('FleetOutputInvalid'));
  await expect(signer.recordProofs(orderOf(proofs()))).resolves.toEqual({});
});

test('a ceremony has no proofs, and the status must be that of the proofs', async () => {
  await addStore(signer, operator.privateKey, 'vault-2');
  const { input: genesis, sealed: by, made } = await withGenesis(signer, createFleet(), 'vault-2');
  const order = {
    ...orderOf(made),
    requestId: genesis.groupId,
    input: canonical({ input: genesis, signed: by.signed } as never),
  };
  await expect(signer.recordProofs(order)).rejects.toEqual(refusedAs('FleetOutputInvalid'));
  const json = { ...(proofs().outputJson as SignOutputJson), status: 'partial' as const };
  await expect(signer.recordProofs(orderOf({ ...proofs(), outputJson: json }))).rejects.toEqual(refusedAs('FleetOutputInvalid'));
});

test('an order from an hour ago, and a JSON text with a member twice, are refused', async () => {
  await expect(signer.recordProofs(orderOf(proofs(), momentAt(NOW_MS - 3_600_000)))).rejects.toEqual(refusedAs('ClockDrift'));
  await expect(signer.recordProofs(orderOf(proofs(), { outputJson: '{"a":1,"a":2}' }))).rejects.toEqual(
    refusedAs('FleetOutputInvalid'),
  );
});
