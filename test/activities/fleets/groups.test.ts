import { cancelGroup } from '../../../application/fleets/end-group';
import { submitOutput } from '../../../application/fleets/submit-output';
import { EventEntity } from '../../../entities/events/event.entity';
import { fleetStore } from '../../../entities/fleets/fleet.store';
import { fleetGroupStore } from '../../../entities/fleets/fleet-group.store';
import { fleetKeyStore } from '../../../entities/fleets/fleet-key.store';
import { fleetOutputStore } from '../../../entities/fleets/fleet-output.store';
import { SignedInput } from '../../../platform/fleets/inputs';
import { type Actor, createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { ceremonyOutput, createFleet, sealOutput } from '../../support/fleet-outputs';
import { createParty } from '../../support/fleet-parties';
import { addOfflineStores } from '../../support/fleet-rows';
import { refusedBySigner } from '../../support/fleet-steps';
import { checksumOf, createFleetStory, type FleetStory, type Submitted } from '../../support/fleet-story';

let database: TestDatabase;
let orgId: string;
let maker: Actor;
let carrier: Actor;
let reviewer: Actor;
let story: FleetStory;
/** More than this file uses; an organisation can have fewer, but rows are not limited. */
const STORES = 80;
let stores = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  orgId = await database.createOrganization();
  maker = await createActor(database.db, orgId);
  carrier = await createActor(database.db, orgId, 'ServiceAccount');
  reviewer = await createActor(database.db, orgId);
  await addOfflineStores(
    database.db,
    orgId,
    Array.from({ length: STORES }, (_, at) => `vault-${at + 1}`),
  );
});
afterAll(() => database?.close());
beforeEach(() => {
  story = createFleetStory(database.db, orgId, `vault-${++stores}`);
});

const reader = () => database.db.read(orgId);
const eventsOf = async (groupId: string) =>
  (await reader().rows(EventEntity, 'WHERE t.aggregate_id = $1 ORDER BY t.aggregate_version', [groupId])).map(
    ({ kind, aggregateVersion }) => `${kind} ${aggregateVersion}`,
  );
const pool = () => fleetKeyStore.counts(reader(), story.storeId);
const fleetRow = () => fleetStore.find(reader(), story.storeId);
const expire = () =>
  database.arrange(`UPDATE fleet_groups SET ends_at = clock_timestamp() - interval '1 second' WHERE id = $1`, [story.groupId()]);

async function inReview(): Promise<Submitted> {
  const output = await story.output(await story.begin(maker));
  await story.submit(carrier, output);
  return output;
}
async function approved(): Promise<void> {
  await inReview();
  await story.approve(reviewer);
}

test('a genesis is made, carried, verified, reviewed by another person, recorded by the signer, and fills the pool', async () => {
  const archive = await story.begin(maker);
  const output = await story.output(archive);
  await story.submit(carrier, output);
  expect(await pool()).toEqual([]);
  const view = await story.approve(reviewer);
  expect(view).toMatchObject({
    ...{ groupId: story.groupId(), status: 'Approved', storeId: story.storeId, orgId },
    ...{ createdBy: maker.caller.userId, submittedBy: carrier.caller.userId, reviewedBy: reviewer.caller.userId },
    operations: [{ kind: 'Genesis', status: 'Approved' }],
  });
  expect(await pool()).toEqual([
    { curve: 'ed25519', state: 'Available', keys: 1 },
    { curve: 'secp256k1', state: 'Available', keys: 2 },
  ]);
  expect(await fleetRow()).toMatchObject({ n: 0, manifestDigest: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await eventsOf(story.groupId())).toEqual(['fleet.group.created 1', 'fleet.group.submitted 2', 'fleet.group.approved 4']);
  const [recorded] = story.signer.recorded;
  expect(recorded).toMatchObject({ input: archive, file: output.file, createdBy: maker.caller.userId });
  expect(JSON.parse(recorded?.outputJson ?? '')).toEqual(output.outputJson);
  expect((await story.group()).outputDigest).toBe(checksumOf(output.file));
});

test('every further ceremony continues the manifest of the one before', async () => {
  await approved();
  const play = async (request: Parameters<FleetStory['begin']>[1], joining?: ReturnType<typeof createParty>) => {
    const output = await story.output(await story.begin(maker, request), joining);
    await story.submit(carrier, output, request?.kind);
    await story.approve(reviewer);
  };
  await play({ kind: 'KeyHarvest', hsmTargetSerial: 'D-1', macTargetSerial: 'M-1', macTargetUsername: 'Ada', numSecp256k1: 3 });
  await play({ kind: 'Clone', hsmSourceSerial: 'D-1', hsmTargetSerial: 'D-2' }, createParty('Device', 'D-2'));
  await play({ kind: 'AddMacUser', hsmTargetSerial: 'D-1', macTargetSerial: 'M-2' }, createParty('Operator', 'M-2'));
  await play({ kind: 'AddProvisioner', hsmTargetSerial: 'D-1', macTargetSerial: 'P-4' }, createParty('Provisioner', 'P-4'));
  expect((await fleetRow())?.n).toBe(4);
  expect((await pool()).find(({ curve }) => curve === 'secp256k1')).toMatchObject({ keys: 5 });
});

test('the archive is the same text, however often the step runs', async () => {
  story.signer.after = () => {
    throw new Error('the reply was lost');
  };
  await expect(story.begin(maker)).rejects.toThrow('the reply was lost');
  const [group] = await fleetGroupStore.page(reader(), { storeId: story.storeId }, 1);
  story.signer.after = () => undefined;
  await Promise.all([1, 2].map(() => story.steps.sealFleetArchive({ orgId, groupId: group?.id ?? '' })));
  const archive = (await fleetGroupStore.find(reader(), group?.id ?? ''))?.input;
  const inputs = new Set(story.signer.sealed.map(({ input }) => input));
  expect([inputs.size, story.signer.sealed.length]).toEqual([1, 3]);
  expect(SignedInput.parse(JSON.parse(archive ?? '')).input.task.kind).toBe('Genesis');
});

test('an archive with a signature over anything else is never stored', async () => {
  const { sealFleetInput } = story.signer;
  Object.assign(story.signer, {
    sealFleetInput: (order: Parameters<typeof sealFleetInput>[0]) =>
      sealFleetInput({ ...order, input: order.input.replace('"Genesis"', '"Clone"') }),
  });
  await expect(story.begin(maker)).rejects.toThrow('Internal Server Error');
  const [group] = await fleetGroupStore.page(reader(), { storeId: story.storeId }, 1);
  expect(group).toMatchObject({ status: 'Initialized', input: null });
});

test('a refusal of the archive cancels the group, and the store is free again', async () => {
  story.signer.before = () => {
    throw refusedBySigner('StoreUnknown');
  };
  await expect(story.begin(maker)).rejects.toMatchObject({
    code: 'WrongState',
    message: expect.stringContaining('StoreUnknown'),
  });
  expect(await eventsOf(story.groupId())).toEqual(['fleet.group.created 1', 'fleet.group.canceled 2']);
  story.signer.before = () => undefined;
  await story.begin(maker);
});

describe('an output', () => {
  test('that is refused names the check, consumes nothing, and the next one is accepted', async () => {
    const archive = await story.begin(maker);
    const bad = await story.output(archive, undefined, ({ output }) => output.keys.pop());
    await expect(story.submit(carrier, bad)).rejects.toMatchObject({
      code: 'FleetOutputInvalid',
      details: { check: 'Counts', groupId: story.groupId() },
    });
    expect(await story.group()).toMatchObject({ status: 'Initialized', outputDigest: null, submittedBy: null });
    await story.submit(carrier, await story.output(archive));
    expect((await story.group()).status).toBe('InReview');
  });

  test.each<[string, string, (made: ReturnType<typeof ceremonyOutput>) => void]>([
    ['of another organisation', 'Organisation', ({ outputJson }) => Object.assign(outputJson, { org_id: 'or-other' })],
    ['of another store', 'Store', ({ outputJson }) => Object.assign(outputJson, { keystore_id: 'other' })],
    ['of another fleet', 'Fleet', ({ outputJson }) => Object.assign(outputJson, { fleet_id: 'fl-other' })],
    ['of another group', 'Group', ({ output }) => Object.assign(output, { groupId: 'fg-other' })],
    ['for another input', 'InputDigest', ({ output }) => Object.assign(output, { inputDigest: '0'.repeat(64) })],
    ['with a key twice', 'DuplicateKey', ({ output: { keys } }) => keys.splice(1, 1, { ...keys[0], index: 1 } as never)],
  ])('%s fails the check %s', async (_title, check, change) => {
    const output = await story.output(await story.begin(maker), undefined, change);
    await expect(story.submit(carrier, output)).rejects.toMatchObject({ code: 'FleetOutputInvalid', details: { check } });
    expect((await story.group()).status).toBe('Initialized');
  });

  test('with a key that another store of the organisation has is refused', async () => {
    await approved();
    const other = createFleetStory(database.db, orgId, `vault-${++stores}`, story.fleet);
    const output = await other.output(await other.begin(maker));
    await expect(other.submit(carrier, output)).rejects.toMatchObject({ details: { check: 'KnownKey' } });
  });

  test('is not accepted twice: not while the first one is verified, not in review, and not after the end', async () => {
    const archive = await story.begin(maker);
    const output = await story.output(archive);
    const { checkFleetOutput } = story.steps;
    const { action } = await carrier.authority();
    await database.db.withOrg(orgId, async (tx) => {
      await fleetOutputStore.add(tx, {
        ...{ userActionId: action?.id ?? '', groupId: story.groupId(), submittedBy: carrier.caller.userId },
        ...{ fileChecksum: '', outputJson: JSON.stringify(output.outputJson), file: output.file },
      });
    });
    await expect(story.submit(carrier, output)).rejects.toMatchObject({ code: 'Conflict' });
    await Promise.all([checkFleetOutput(story.ref()), checkFleetOutput(story.ref())]);
    await expect(story.submit(carrier, output)).rejects.toMatchObject({ code: 'WrongState', message: 'the group is InReview' });
    expect(await eventsOf(story.groupId())).toHaveLength(2);
    await story.reject(reviewer);
    await expect(story.submit(carrier, output)).rejects.toMatchObject({ code: 'WrongState', message: 'the group is Rejected' });
  });

  test('of an earlier group is refused although a new group waits', async () => {
    const old = await inReview();
    await story.cancel(maker);
    await story.begin(maker);
    await expect(story.submit(carrier, old)).rejects.toMatchObject({ code: 'WrongState', message: 'the group is Canceled' });
    expect((await story.group()).status).toBe('Initialized');
  });

  test('that arrives after the time of the group is refused, even before the group is canceled', async () => {
    const output = await story.output(await story.begin(maker));
    await expire();
    await expect(story.submit(carrier, output)).rejects.toMatchObject({
      code: 'WrongState',
      message: 'the time of the group is over',
    });
  });

  test('of another kind than the group is refused', async () => {
    const output = await story.output(await story.begin(maker));
    await expect(story.submit(carrier, output, 'Clone')).rejects.toMatchObject({ details: { check: 'Kind' } });
  });

  test('is refused if the group is canceled while the output is verified', async () => {
    const output = await story.output(await story.begin(maker));
    const { readFleetGroup } = story.steps;
    const meanwhile = async (_id: string, read: () => Promise<unknown>) => {
      await story.cancel(maker);
      expect(await readFleetGroup(story.ref())).toEqual({ next: 'Ended', status: 'Canceled' });
      await story.steps.checkFleetOutput(story.ref());
      return read();
    };
    Object.assign(story.services.changes, { waitFor: meanwhile });
    await expect(story.submit(carrier, output)).rejects.toMatchObject({ details: { check: 'Group' } });
    expect(await eventsOf(story.groupId())).toEqual(['fleet.group.created 1', 'fleet.group.canceled 2']);
  });

  test.each<[string, Buffer, string, string]>([
    ['too long', Buffer.alloc(4 * 1024 * 1024 + 1, 0x20), 'BodyTooLarge', ''],
    ['not UTF-8', Buffer.from([0xff]), 'FleetOutputInvalid', 'Form'],
    ['no JSON', Buffer.from('PK\u0003\u0004'), 'FleetOutputInvalid', 'Form'],
  ])('that is %s is refused', async (_title, file, code, check) => {
    const output = await story.output(await story.begin(maker));
    const submit = story.submit(carrier, { outputJson: output.outputJson, file: '' });
    await expect(submit).rejects.toMatchObject({ code: 'FleetOutputInvalid' });
    const given = { outputJson: output.outputJson, file, fileChecksum: '' };
    const refused = submitOutput(story.services, await carrier.authority(), story.storeId, 'Genesis', given);
    await expect(refused).rejects.toMatchObject({ code, ...(check === '' ? {} : { details: { check } }) });
  });
});

describe('an approval', () => {
  test('takes effect once, whenever the worker stops: before the signer, after the signer, or after the commit', async () => {
    await inReview();
    let stop: 'before' | 'after' | undefined = 'before';
    const dies = (at: 'before' | 'after') => () => {
      if (stop === at) throw new Error('killed');
    };
    Object.assign(story.signer, { before: dies('before'), after: dies('after') });
    await expect(story.approve(reviewer)).rejects.toThrow('killed');
    expect(await story.group()).toMatchObject({ status: 'InReview', reviewedBy: reviewer.caller.userId });
    stop = 'after';
    await expect(story.steps.recordFleetApproval(story.ref())).rejects.toThrow('killed');
    expect(await pool()).toEqual([]);
    stop = undefined;
    const twice = [1, 2].map(() => story.steps.recordFleetApproval(story.ref()));
    await Promise.all(twice);
    await story.steps.recordFleetApproval(story.ref());
    expect((await story.group()).status).toBe('Approved');
    expect((await eventsOf(story.groupId())).filter((event) => event.includes('approved'))).toHaveLength(1);
    expect(await pool()).toHaveLength(2);
    expect(new Set(story.signer.recorded.map(({ file }) => file)).size).toBe(1);
  });

  test('cannot be given by the person who made or submitted the group', async () => {
    await inReview();
    for (const by of [maker, carrier]) {
      await expect(story.approve(by)).rejects.toMatchObject({ code: 'Forbidden' });
      await expect(story.reject(by)).rejects.toMatchObject({ code: 'Forbidden' });
    }
    expect(story.signer.recorded).toEqual([]);
  });

  test('is for the manifest that the reviewer has seen', async () => {
    await inReview();
    await expect(story.approve(reviewer, '0'.repeat(64))).rejects.toMatchObject({ code: 'WrongState' });
  });

  test('on its way to the signer excludes another review, a rejection, a cancellation and the end of the time', async () => {
    await inReview();
    story.signer.before = () => {
      throw new Error('the signer is away');
    };
    await expect(story.approve(reviewer)).rejects.toThrow('away');
    const second = await createActor(database.db, orgId);
    await expect(story.approve(second)).rejects.toMatchObject({ code: 'WrongState', message: 'the group is being approved' });
    await expect(story.reject(second)).rejects.toMatchObject({ code: 'WrongState' });
    await expect(story.cancel(maker)).rejects.toMatchObject({ code: 'WrongState' });
    await expire();
    expect(await story.steps.lapseFleetGroup(story.ref())).toMatchObject({ next: 'Record' });
    story.signer.before = () => undefined;
    await story.steps.recordFleetApproval(story.ref());
    expect((await story.group()).status).toBe('Approved');
  });

  test('that the signer refuses is taken back with the reason, and another person can approve', async () => {
    await inReview();
    story.signer.before = () => {
      throw refusedBySigner('NotPermitted');
    };
    await expect(story.approve(reviewer)).rejects.toMatchObject({
      code: 'WrongState',
      message: expect.stringContaining('NotPermitted'),
    });
    expect(await story.group()).toMatchObject({ status: 'InReview', reviewedBy: null, hindrance: expect.any(String) });
    expect(await pool()).toEqual([]);
    story.signer.before = () => undefined;
    await story.approve(await createActor(database.db, orgId));
    expect(await story.group()).toMatchObject({ status: 'Approved', hindrance: null });
  });

  test('fails if a row was changed so that the output no longer fits', async () => {
    await inReview();
    await database.arrange(`UPDATE fleet_outputs SET file = replace(file, 'P-1', 'P-9') WHERE group_id = $1`, [story.groupId()]);
    await expect(story.approve(reviewer)).rejects.toMatchObject({ name: 'FleetFault' });
    expect(story.signer.recorded).toEqual([]);
  });
});

test('a group without an outcome is reminded of once, and canceled when its time is over, not before', async () => {
  await story.begin(maker);
  const { lapseFleetGroup, remindOfFleetGroup } = story.steps;
  expect(await lapseFleetGroup(story.ref())).toMatchObject({ next: 'Output', reminderInMs: expect.any(Number) });
  const days = (await lapseFleetGroup(story.ref())) as { endsInMs: number };
  expect(days.endsInMs / 86_400_000).toBeCloseTo(30, 2);
  expect(await remindOfFleetGroup(story.ref())).not.toHaveProperty('reminderInMs');
  await remindOfFleetGroup(story.ref());
  await expire();
  expect(await lapseFleetGroup(story.ref())).toEqual({ next: 'Ended', status: 'Canceled' });
  expect(await lapseFleetGroup(story.ref())).toEqual({ next: 'Ended', status: 'Canceled' });
  expect(await eventsOf(story.groupId())).toEqual(['fleet.group.created 1', 'fleet.group.due 2', 'fleet.group.canceled 3']);
  await story.begin(maker);
});

test('the next archive tells devices to abandon manifests of rejected, canceled and refused outputs, and those that people name', async () => {
  await approved();
  const harvest = {
    kind: 'KeyHarvest',
    hsmTargetSerial: 'D-1',
    macTargetSerial: 'M-1',
    macTargetUsername: 'A',
    numEd25519: 1,
  } as const;
  const digestIn = async (archive: string) => SignedInput.parse(JSON.parse(archive)).input.abandons;
  const first = await story.begin(maker, harvest);
  expect(await digestIn(first)).toEqual([]);
  await story.submit(carrier, await story.output(first), 'KeyHarvest');
  await story.reject(reviewer);
  const second = await story.begin(maker, { ...harvest, abandons: ['e'.repeat(64), (await fleetRow())?.manifestDigest ?? ''] });
  expect(await digestIn(second)).toEqual(['e'.repeat(64), expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test('two groups cannot begin at once, and a genesis needs an empty store', async () => {
  const both = await Promise.allSettled([story.begin(maker), story.begin(carrier)]);
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'Conflict' } });
  await story.cancel(maker);
  await expect(story.begin(maker, { kind: 'Clone', hsmSourceSerial: 'D-1', hsmTargetSerial: 'D-2' })).rejects.toMatchObject({
    code: 'WrongState',
  });
  await approved();
  await expect(story.begin(maker)).rejects.toMatchObject({ code: 'WrongState', message: 'the key store has a fleet already' });
});

test('a group of another store or organisation is not found', async () => {
  await inReview();
  const other = createFleetStory(database.db, orgId, `vault-${++stores}`);
  await other.begin(maker);
  const wrongStore = cancelGroup(story.services, await maker.authority(), {
    ...{ storeId: other.storeId, groupId: story.groupId(), reason: 'x' },
  });
  await expect(wrongStore).rejects.toMatchObject({ code: 'NotFound' });
  const otherOrg = await database.createOrganization();
  const stranger = await createActor(database.db, otherOrg);
  const foreign = cancelGroup(story.services, await stranger.authority(), {
    ...{ storeId: story.storeId, groupId: story.groupId(), reason: 'x' },
  });
  await expect(foreign).rejects.toMatchObject({ code: 'NotFound' });
  expect((await story.group()).status).toBe('InReview');
});

test('files of other fleets do not fit', async () => {
  const archive = await story.begin(maker);
  const { input } = SignedInput.parse(JSON.parse(archive));
  const { outputJson, file } = sealOutput(ceremonyOutput({ fleet: createFleet(2), input, head: null })) as Submitted;
  await expect(story.submit(carrier, { outputJson, file })).rejects.toMatchObject({ code: 'FleetOutputInvalid' });
});
