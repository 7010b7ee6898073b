import { createFleetGroupActivities } from '../../../activities/fleets/groups';
import { FLEET_REMINDER_BEFORE_MS } from '../../../domain/fleet-groups';
import { EventEntity } from '../../../entities/events/event.entity';
import { permissionStore } from '../../../entities/permissions/permission.store';
import { permissionAssignmentStore } from '../../../entities/permissions/permission-assignment.store';
import { UserEntity } from '../../../entities/users/user.entity';
import { newId } from '../../../platform/ids';
import { createSecretBox } from '../../../platform/secret-box';
import { type Actor, createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { addOfflineStores } from '../../support/fleet-rows';
import { createFleetStory, type FleetStory } from '../../support/fleet-story';
import { mailsFor } from '../../support/mails';

const DATA_KEY = Buffer.alloc(32, 4);
const STORE_ID = 'vault-1';

let database: TestDatabase;
let orgId: string;
let story: FleetStory;
/** Both may cancel and review. */
let [maker, carrier]: Actor[] = [];
let [canceler, reviewer, both, neither]: Actor[] = [];
let steps: ReturnType<typeof createFleetGroupActivities>;

beforeAll(async () => {
  database = await createTestDatabase(8);
  steps = createFleetGroupActivities({ db: database.db, mailContents: createSecretBox(DATA_KEY, 'mails') });
});
afterAll(() => database?.close());
beforeEach(async () => {
  orgId = await database.createOrganization();
  await addOfflineStores(database.db, orgId, [STORE_ID]);
  story = createFleetStory(database.db, orgId, STORE_ID);
  [maker, carrier, canceler, reviewer, both, neither] = await Promise.all(
    Array.from({ length: 6 }, () => createActor(database.db, orgId)),
  );
  await grant('KeyStores:Instructions:Cancel', maker, carrier, canceler, both);
  await grant('KeyStores:Instructions:Review', maker, carrier, reviewer, both);
});

const idOf = (actor: Actor | undefined): string => actor?.caller.userId ?? '';

async function grant(operation: string, ...actors: readonly (Actor | undefined)[]): Promise<void> {
  const permissionId = newId('permission');
  await database.db.withOrg(orgId, async (tx) => {
    await permissionStore.add(tx, { id: permissionId, name: operation, operations: [operation], isManaged: false });
    for (const actor of actors) {
      await permissionAssignmentStore.add(tx, { id: newId('assignment'), permissionId, userId: idOf(actor), tokenId: null });
    }
  });
}
/** Moves the end of the group, so that the group has this time left. */
const leave = (ms: number) =>
  database.arrange(`UPDATE fleet_groups SET ends_at = clock_timestamp() + $2 * interval '1 millisecond' WHERE id = $1`, [
    story.groupId(),
    ms,
  ]);
const remind = () => steps.remindOfFleetGroup(story.ref());
const mails = async (actor: Actor | undefined) => mailsFor(database.db, DATA_KEY.toString('hex'), orgId, idOf(actor));
const mailed = async (actor: Actor | undefined) =>
  (await mails(actor)).map(({ template, data }) => `${template} ${data['waitsFor']}`);
const everyone = async () => Promise.all([maker, carrier, canceler, reviewer, both, neither].map(mailed));
const events = async () =>
  (await database.db.read(orgId).rows(EventEntity, `WHERE t.aggregate_id = $1 AND t.kind = 'fleet.group.due'`, [story.groupId()]))
    .length;
const begin = async () => story.output(await story.begin(maker as Actor));

test('a group that waits for an output reminds each person who may cancel, once, and no other person', async () => {
  await begin();
  await Promise.all(Array.from({ length: 4 }, remind));
  const due = ['FleetGroupDue Output'];
  expect(await everyone()).toEqual([due, due, due, [], due, []]);
  expect(await events()).toBe(1);
});

test('a mail names group, store and time, and nothing of the archive or the output', async () => {
  await story.submit(carrier as Actor, await begin());
  await remind();
  const { endsAt } = await story.group();
  const [mail] = await mails(reviewer);
  expect(mail).toEqual({
    ...{ template: 'FleetReviewDue', to: reviewer?.username },
    data: {
      ...{ groupId: story.groupId(), storeId: STORE_ID, storeName: expect.any(String), kind: 'Genesis', waitsFor: 'Review' },
      dateExpires: endsAt.toISOString(),
    },
  });
});

test('a group in review reminds those who may review; its maker, its submitter and others who may cancel are asked for nothing else', async () => {
  await story.submit(carrier as Actor, await begin());
  await remind();
  await remind();
  const [cancel, review] = [['FleetGroupDue Review'], ['FleetReviewDue Review']];
  expect(await everyone()).toEqual([cancel, cancel, cancel, review, review, []]);
});

test('a group that enters its review after the reminder reminds once more', async () => {
  const output = await begin();
  await remind();
  await story.submit(carrier as Actor, output);
  await leave(FLEET_REMINDER_BEFORE_MS);
  expect(await steps.readFleetGroup(story.ref())).toMatchObject({ next: 'Review', reminderInMs: 0 });
  expect(await remind()).not.toHaveProperty('reminderInMs');
  await remind();
  expect(await steps.readFleetGroup(story.ref())).not.toHaveProperty('reminderInMs');
  expect([await mailed(reviewer), await events()]).toEqual([['FleetReviewDue Review'], 2]);
  expect(await mailed(canceler)).toEqual(['FleetGroupDue Output', 'FleetGroupDue Review']);
});

test('a group that has ended, whose time is over or that the signer records reminds no one', async () => {
  const output = await begin();
  await leave(-1);
  expect(await remind()).toMatchObject({ next: 'Output' });
  await leave(FLEET_REMINDER_BEFORE_MS);
  await story.submit(carrier as Actor, output);
  story.signer.before = () => {
    throw new Error('the signer is away');
  };
  await expect(story.approve(reviewer as Actor)).rejects.toThrow('away');
  expect(await remind()).toMatchObject({ next: 'Record' });
  story.signer.before = () => undefined;
  await story.steps.recordFleetApproval(story.ref());
  expect(await remind()).toEqual({ next: 'Ended', status: 'Approved' });
  expect([...(await everyone()).flat(), await events()]).toEqual([0]);
});

test('a program, an end user, a person who has not registered, one who was deactivated, and one without an address get no mail', async () => {
  const program = await createActor(database.db, orgId, 'ServiceAccount');
  const endUser = await createActor(database.db, orgId, 'EndUser');
  await grant('*', program, endUser);
  const change = (actor: Actor | undefined, changes: Partial<UserEntity>) =>
    database.db.withOrg(orgId, (tx) => tx.update(UserEntity, { id: idOf(actor) }, changes));
  await begin();
  await change(carrier, { isRegistered: false });
  await change(canceler, { isActive: false });
  await change(both, { username: 'no address' });
  await remind();
  expect(await Promise.all([program, endUser, carrier, canceler, both].map(mailed))).toEqual([[], [], [], [], []]);
  expect(await mailed(maker)).toEqual(['FleetGroupDue Output']);
});
