import { verifiedSignatures } from '../../../activities/fleets/verified-signatures';
import { recordSignatures } from '../../../application/fleets/record-signatures';
import type { FleetState } from '../../../domain/fleets';
import type { Tx } from '../../../entities/database';
import { fleetStore } from '../../../entities/fleets/fleet.store';
import type { FleetGroupEntity } from '../../../entities/fleets/fleet-group.entity';
import { fleetGroupStore } from '../../../entities/fleets/fleet-group.store';
import { fleetOutputStore } from '../../../entities/fleets/fleet-output.store';
import { canonical } from '../../../platform/canonical';
import { FleetFault } from '../../../platform/fleets/checks';
import { inputDigest, type SignedInput, type SignRequest } from '../../../platform/fleets/inputs';
import { manifestDigest, type SignedManifest } from '../../../platform/fleets/manifests';
import type { SignOutputJson } from '../../../platform/fleets/outputs';
import { createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { ceremonyOutput, createFleet, fleetInput, genesisTask, outputFile, sealOutput } from '../../support/fleet-outputs';
import { createParty } from '../../support/fleet-parties';
import { createOfflineSteps, OFFLINE_STORE_ID, type OfflineSteps } from '../../support/offline-steps';

let database: TestDatabase;
let steps: OfflineSteps;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
beforeEach(async () => {
  steps = await createOfflineSteps(database);
});

const fleet = createFleet();
const genesis = ceremonyOutput({ fleet, input: fleetInput(genesisTask({ secp256k1: 1, ed25519: 1 }), null), head: null });
const { manifest: head } = genesis.output.manifest as SignedManifest;
const signer = createParty('Device', 'the-signer');
const REFUSED = { type: 'onchain-sign-v1', result: { fail: { message: 'Not on the list.', code: 'NotListed' } } } as const;
type Answer = SignOutputJson['outputs'][string];
type Outputs = Readonly<Record<string, Answer>>;

const reading = () => database.db.read(steps.orgId);
const groupOf = async (id: string) => (await fleetGroupStore.find(reading(), id)) ?? Promise.reject(new Error(`no group ${id}`));
const move = (tx: Tx, row: FleetGroupEntity, status: FleetState, changes: object) =>
  fleetGroupStore.change(tx, row, { ...changes, status });

/** What the device signs for the request. With `of`, the device signs the bytes of another transfer. */
async function answerOf({ requestId, key }: SignRequest, of = requestId): Promise<Answer> {
  const { unsignedHex: bytesHex } = await steps.payload(of);
  const { signature, digestHex } = await steps.sign({ bytesHex } as never);
  const signed = { signer_public_key: key.publicKey, exact_bytes_signed: digestHex.slice(2) };
  return {
    type: 'onchain-sign-v1',
    result: { success: { '0': { ...signed, signature: `${signature.r.slice(2)}${signature.s.slice(2)}` } } },
  };
}

/** A group whose archive carries the waiting transfers. */
async function carried() {
  const groupId = await steps.group();
  const requests = await steps.collect(groupId);
  const names = { groupId, orgId: steps.orgId, storeId: OFFLINE_STORE_ID };
  const input = fleetInput({ kind: 'OnchainSign', requests: [...requests] }, head, names);
  const text = canonical({ input, signed: signer.state('input', input) } as never);
  await database.db.withOrg(steps.orgId, (tx) => fleetGroupStore.seal(tx, groupId, { text, digest: inputDigest(input) }));
  return { groupId, requests, input };
}
type Carried = Awaited<ReturnType<typeof carried>>;

/** Submits the output of the device, and carries out the step that verifies it. Returns the failed check, if any. */
async function submit(
  { groupId, input }: Pick<Carried, 'groupId' | 'input' | 'requests'>,
  outputs: Outputs,
  status: SignOutputJson['status'],
  check?: () => Promise<void>,
): Promise<string> {
  const [device] = fleet.devices;
  if (!device) throw new Error('the fleet has a device');
  const names = { org_id: input.orgId, fleet_id: input.fleetId, keystore_id: input.storeId, group_id: groupId };
  const outputJson: SignOutputJson = { type: 'keystore-output', version: 1, ...names, status, outputs: { ...outputs } };
  const sealed = sealOutput({ outputJson, output: outputFile(input, { device, manifest: null }), device });
  const actor = await createActor(database.db, steps.orgId);
  const userActionId = (await actor.authority()).action?.id ?? '';
  const output = {
    ...{ userActionId, groupId, submittedBy: actor.caller.userId, fileChecksum: 'c' },
    ...{ outputJson: canonical(sealed.outputJson as never), file: sealed.file },
  };
  await database.db.withOrg(steps.orgId, (tx) => fleetOutputStore.add(tx, output));
  if (check) return check().then(() => 'checked');
  try {
    const signed = await verifiedSignatures(reading(), { group: await groupOf(groupId), head }, output);
    const record = () => database.db.withOrg(steps.orgId, (tx) => recordSignatures(tx, output, signed, move));
    await record();
    await record();
    return 'accepted';
  } catch (error) {
    if (!(error instanceof FleetFault)) throw error;
    await database.db.withOrg(steps.orgId, (tx) =>
      fleetOutputStore.refuse(tx, userActionId, { manifestDigest: null, failedCheck: error.check, reason: error.message }),
    );
    return error.check;
  }
}

const answers = async (requests: readonly SignRequest[]): Promise<Outputs> =>
  Object.fromEntries(await Promise.all(requests.map(async (one) => [one.operationId, await answerOf(one)] as const)));

test('the archive of a group carries the requests, and a genuine output goes through the steps of the group', async () => {
  const id = await steps.atDevice();
  const digest = manifestDigest(head);
  const manifest = { digest, text: canonical(genesis.output.manifest as never), n: 0 };
  await database.db.withOrg(steps.orgId, (tx) => fleetStore.commit(tx, OFFLINE_STORE_ID, null, manifest));
  const groupId = await steps.group(digest);
  const ref = { orgId: steps.orgId, groupId };
  expect(await steps.fleet.advance(ref)).toBe('Output');
  const { input } = JSON.parse((await groupOf(groupId)).input ?? '') as SignedInput;
  const { task } = input;
  if (task.kind !== 'OnchainSign') throw new Error('the group signs requests');
  expect(task.requests.map(({ requestId }) => requestId)).toEqual([id]);
  await submit({ groupId, input, requests: task.requests }, await answers(task.requests), 'success', async () => {
    await steps.fleet.checkFleetOutput(ref);
  });
  expect(await groupOf(groupId)).toMatchObject({ status: 'Approved' });
  expect(await steps.signTransfer(id)).toBe('Signed');
});

test('a group for which nothing may be signed is canceled, and says so', async () => {
  const groupId = await steps.group();
  await steps.fleet.sealFleetArchive({ orgId: steps.orgId, groupId });
  expect(await groupOf(groupId)).toMatchObject({ status: 'Canceled', input: null, reason: expect.stringMatching(/^No request/) });
});

test('an output that signs everything ends the group, wakes each transfer once and releases all transfers', async () => {
  const ids = [await steps.atDevice(), await steps.atDevice()];
  const group = await carried();
  expect(await submit(group, await answers(group.requests), 'success')).toBe('accepted');
  expect(await groupOf(group.groupId)).toMatchObject({ status: 'Approved', submittedBy: expect.any(String) });
  for (const id of ids) {
    expect(await steps.signals(id)).toEqual(['offlineChanged']);
    expect(await steps.signTransfer(id)).toBe('Signed');
    await steps.broadcast(id);
  }
  expect(steps.chain.sent).toHaveLength(2);
});

test('a partial output releases what is signed, and the next group carries the rest with the same bytes', async () => {
  const [signed, refused, left] = [await steps.atDevice(), await steps.atDevice(), await steps.atDevice()];
  const group = await carried();
  const [first, second] = group.requests;
  if (!first || !second) throw new Error('the group carries three transfers');
  const outputs = { ...(await answers([first])), [second.operationId]: REFUSED };
  expect(await submit(group, outputs, 'partial')).toBe('accepted');
  expect(await groupOf(group.groupId)).toMatchObject({ status: 'Approved' });
  const operations = await fleetGroupStore.operationsOf(reading(), [group.groupId]);
  const found = operations.filter(({ subjectId }) => subjectId !== null).map(({ status, failure }) => [status, failure]);
  expect(found).toEqual(
    expect.arrayContaining([
      ['Approved', null],
      ['Rejected', 'NotListed: Not on the list.'],
      ['Rejected', 'The output does not contain the operation.'],
    ]),
  );
  expect([await steps.signTransfer(signed), await steps.signTransfer(refused)]).toEqual(['Signed', 'Offline']);
  const next = await carried();
  expect(next.requests.map(({ requestId }) => requestId)).toEqual([refused, left]);
  expect(next.requests.map(({ order }) => order)).toEqual(group.requests.slice(1).map(({ order }) => order));
});

test('an output that signs nothing cancels the group, and everything waits for the next group', async () => {
  const id = await steps.atDevice();
  const group = await carried();
  const [only] = group.requests;
  expect(await submit(group, { [only?.operationId ?? '']: REFUSED }, 'fail')).toBe('accepted');
  expect(await groupOf(group.groupId)).toMatchObject({ status: 'Canceled', reason: expect.stringContaining('none') });
  expect((await carried()).requests.map(({ requestId }) => requestId)).toEqual([id]);
});

test('one signature over other bytes refuses the whole output, and nothing is stored', async () => {
  const [first, second] = [await steps.atDevice(), await steps.atDevice()];
  const group = await carried();
  const [one, other] = group.requests;
  if (!one || !other) throw new Error('the group carries two transfers');
  const outputs = { ...(await answers([one])), [other.operationId]: await answerOf(other, first) };
  expect(await submit(group, outputs, 'success')).toBe('ExactBytes');
  expect([(await steps.request(first)).signatures, (await steps.request(second)).signatures]).toEqual([null, null]);
  expect(await groupOf(group.groupId)).toMatchObject({ status: 'Initialized' });
  expect(await submit(group, await answers(group.requests), 'success')).toBe('accepted');
});

test('an output for a group that was canceled meanwhile is refused, and no signature is stored', async () => {
  const id = await steps.atDevice();
  const group = await carried();
  const outputs = await answers(group.requests);
  await steps.endGroup(group.groupId, 'Canceled');
  await submit(group, outputs, 'success');
  expect((await steps.request(id)).signatures).toBeNull();
  expect(await groupOf(group.groupId)).toMatchObject({ status: 'Canceled' });
  expect(await steps.signals(id)).toEqual([]);
});

test('the output of an earlier group does not sign for the group that carries the request now', async () => {
  const id = await steps.atDevice();
  const first = await carried();
  const outputs = await answers(first.requests);
  await steps.endGroup(first.groupId, 'Canceled');
  const second = await carried();
  expect(await submit(second, outputs, 'success')).toBe('Operation');
  expect((await steps.request(id)).signatures).toBeNull();
});

test('a transfer that ended while it travelled keeps its end, whatever the device has signed', async () => {
  const id = await steps.atDevice();
  const group = await carried();
  await database.db.withOrg(steps.orgId, (tx) =>
    tx.run(`UPDATE transfers SET state = 'Failed', reason = 'Replaced' WHERE id = $1`, [id]),
  );
  expect(await submit(group, await answers(group.requests), 'success')).toBe('accepted');
  expect(await steps.signTransfer(id)).toBe('Refused');
  expect(await steps.row(id)).toMatchObject({ state: 'Failed', txHash: null });
});
