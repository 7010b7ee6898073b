import { readGroup } from '../../../application/fleets/read-groups';
import { type Actor, createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { addOfflineStores } from '../../support/fleet-rows';
import { refusedBySigner } from '../../support/fleet-steps';
import { createFleetStory, type FleetStory } from '../../support/fleet-story';

const STORES = Array.from({ length: 8 }, (_, at) => `vault-${at + 1}`);

let database: TestDatabase;
let orgId: string;
let maker: Actor;
let carrier: Actor;
let reviewer: Actor;
let second: Actor;
let story: FleetStory;
let stores = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  orgId = await database.createOrganization();
  carrier = await createActor(database.db, orgId, 'ServiceAccount');
  maker = await createActor(database.db, orgId);
  reviewer = await createActor(database.db, orgId);
  second = await createActor(database.db, orgId);
  await addOfflineStores(database.db, orgId, STORES, 2);
});
afterAll(() => database?.close());
beforeEach(async () => {
  story = createFleetStory(database.db, orgId, `vault-${++stores}`);
  await story.submit(carrier, await story.output(await story.begin(maker)));
});

const details = () => readGroup(database.db.read(orgId), story.storeId, story.groupId());

test('an approval by two people reaches the signer after the second, with both reviewers', async () => {
  expect(await details()).toMatchObject({ reviewersMissing: 2 });
  expect(await story.approve(reviewer)).toMatchObject({ status: 'InReview' });
  expect(story.signer.recorded).toEqual([]);
  expect(await details()).toMatchObject({
    reviewersMissing: 1,
    earlierReviews: [{ reviewedBy: reviewer.caller.userId, dateReviewed: expect.stringMatching(/Z$/) }],
  });
  await expect(story.approve(reviewer)).rejects.toMatchObject({
    code: 'WrongState',
    message: expect.stringContaining('approved the group already'),
  });
  expect(await story.approve(second)).toMatchObject({ status: 'Approved', reviewedBy: second.caller.userId });
  const people = { reviewedBy: second.caller.userId, earlierReviewers: [reviewer.caller.userId] };
  expect(story.signer.recorded).toMatchObject([people]);
  expect(story.signer.recorded[0]?.evidence).toHaveLength(2);
  expect(await details()).not.toHaveProperty('reviewersMissing');
});

test('a review by two people cannot be completed by the people who made or submitted the group', async () => {
  await story.approve(reviewer);
  for (const by of [maker, carrier]) await expect(story.approve(by)).rejects.toMatchObject({ code: 'Forbidden' });
  expect((await story.group()).status).toBe('InReview');
});

test('a review by two people is taken back whole if the signer refuses', async () => {
  await story.approve(reviewer);
  story.signer.before = () => {
    throw refusedBySigner('ReviewersMissing');
  };
  await expect(story.approve(second)).rejects.toMatchObject({ code: 'WrongState' });
  expect(await details()).toMatchObject({ reviewersMissing: 2, hindrance: expect.stringContaining('ReviewersMissing') });
  story.signer.before = () => undefined;
  await story.approve(second);
  expect(await story.approve(reviewer)).toMatchObject({ status: 'Approved' });
});

test('a group can still be rejected after the first of two approvals', async () => {
  await story.approve(reviewer);
  expect(await story.reject(second)).toMatchObject({ status: 'Rejected', reviewedBy: second.caller.userId });
});

test('a group needs one more person if the operator lowers the number after the first approval', async () => {
  await story.approve(reviewer);
  await database.arrange('UPDATE key_stores SET reviewers = 1 WHERE id = $1', [story.storeId]);
  expect(await details()).toMatchObject({ reviewersMissing: 1 });
  expect(await story.approve(second)).toMatchObject({ status: 'Approved' });
});

test('two approvals at the same time count once each', async () => {
  const [one, other] = await Promise.all([story.approve(reviewer), story.approve(second)]);
  expect([one.status, other.status].sort()).toEqual(['Approved', 'InReview']);
  expect(story.signer.recorded).toHaveLength(1);
});
