import { noteFailure, noteStatus, progressOf } from '../../../application/travel-rules/progress';
import {
  isTravelRuleEnd,
  TRAVEL_RULE_MOVES,
  TRAVEL_RULE_STATES,
  TRAVEL_RULE_STATUSES,
  type TravelRuleState,
} from '../../../domain/travel-rules';
import type { Tx } from '../../../entities/database';
import { travelRuleStore } from '../../../entities/travel-rules/travel-rule.store';
import { TravelRuleMessageEntity } from '../../../entities/travel-rules/travel-rule-message.entity';
import { newId } from '../../../platform/ids';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';

let database: TestDatabase;
let orgId: string;
let steps: TransferSteps;
beforeAll(async () => {
  database = await createTestDatabase();
  orgId = await database.createOrganization();
  steps = await createTransferSteps(database.db, orgId);
});
afterAll(() => database?.close());

const inOrg = <T>(work: (tx: Tx) => Promise<T>) => database.db.withOrg(orgId, work);
const TIMES = { trigger: 600, clear: 60 };

/** Inserts a message in this state, with the dates that belong to the state. */
async function messageIn(state: TravelRuleState, set: Partial<TravelRuleMessageEntity> = {}): Promise<string> {
  const transferId = await steps.transfer();
  const in600 = new Date(Date.now() + 600_000);
  const dates = state === 'Requested' ? {} : { dateSubmitted: new Date(), dateTriggers: in600 };
  const id = newId('travelRuleMessage');
  const row = { orgId, id, transferId, state, triggerSeconds: 600, clearSeconds: 60, ...dates, ...set };
  await inOrg((tx) => tx.insert(TravelRuleMessageEntity, row));
  return id;
}
const rowOf = (id: string) => inOrg((tx) => travelRuleStore.lock(tx, id));

const PAIRS = TRAVEL_RULE_STATES.flatMap((from) => TRAVEL_RULE_STATES.map((to) => [from, to] as const));

test.each(PAIRS)('a move from %s to %s is made if it is legal, and ignored otherwise', async (from, to) => {
  const id = await messageIn(from);
  await inOrg(async (tx) => travelRuleStore.move(tx, await travelRuleStore.lock(tx, id), to));
  const { state, dateEnded } = await rowOf(id);
  const isLegal = TRAVEL_RULE_MOVES[from].includes(to);
  expect(state).toBe(isLegal ? to : from);
  expect(dateEnded !== null).toBe(isLegal && isTravelRuleEnd(to));
});

test.each(TRAVEL_RULE_STATES.filter(isTravelRuleEnd))('a message that has ended as %s does not change', async (state) => {
  const id = await messageIn(state, { dateTriggers: new Date(0) });
  for (const status of TRAVEL_RULE_STATUSES) {
    expect(await inOrg((tx) => noteStatus(tx, id, status))).toMatchObject({ state, changed: false, waitMs: 0 });
  }
  expect(await inOrg((tx) => noteFailure(tx, id, 'Failed', 'NoAnswer'))).toEqual({ state, waitMs: 0 });
});

test('the submission sets the deadline at which silence triggers, and the delivery the deadline at which silence clears', async () => {
  const id = await messageIn('Requested');
  expect(await inOrg((tx) => noteStatus(tx, id, 'Submitted', 'theirs-1'))).toMatchObject({ state: 'Submitted', changed: true });
  const submitted = await rowOf(id);
  expect((submitted.dateTriggers?.getTime() ?? 0) - (submitted.dateSubmitted?.getTime() ?? 0)).toBe(600_000);
  expect([submitted.dateClears, submitted.vendorMessageId]).toEqual([null, 'theirs-1']);
  const { waitMs } = await inOrg((tx) => noteStatus(tx, id, 'Delivered'));
  const delivered = await rowOf(id);
  expect((delivered.dateClears?.getTime() ?? 0) - (delivered.dateDelivered?.getTime() ?? 0)).toBe(60_000);
  expect(delivered.dateTriggers).toEqual(submitted.dateTriggers);
  expect(waitMs).toBeGreaterThan(50_000);
  expect(waitMs).toBeLessThanOrEqual(60_000);
});

test('an answer that arrives before the reply to the submission is accepted, and that reply still sets the vendor’s message id', async () => {
  const id = await messageIn('Requested');
  await inOrg((tx) => noteStatus(tx, id, 'Accepted'));
  expect(await inOrg((tx) => noteStatus(tx, id, 'Submitted', 'theirs-2'))).toMatchObject({ state: 'Accepted', changed: false });
  expect(await rowOf(id)).toMatchObject({ state: 'Accepted', vendorMessageId: 'theirs-2' });
});

test('a failure ends only a message that the vendor has not accepted', async () => {
  const [requested, delivered] = [await messageIn('Requested'), await messageIn('Delivered')];
  expect(await inOrg((tx) => noteFailure(tx, requested, 'Failed', 'NoAnswer'))).toEqual({ state: 'Failed', waitMs: 0 });
  expect(await rowOf(requested)).toMatchObject({ reason: 'NoAnswer' });
  expect(await inOrg((tx) => noteFailure(tx, delivered, 'Failed', 'NoAnswer'))).toMatchObject({ state: 'Delivered' });
});

const ago = (seconds: number) => new Date(Date.now() - seconds * 1_000);
const ahead = (seconds: number) => new Date(Date.now() + seconds * 1_000);

test.each([
  ['neither deadline is over', 'Delivered', ahead(60), ahead(30), 'Delivered'],
  ['silence clears first', 'Delivered', ahead(60), ago(1), 'Cleared'],
  ['silence triggers first', 'Delivered', ago(1), ahead(60), 'TimedOut'],
  ['nothing clears', 'Delivered', ago(1), null, 'TimedOut'],
  ['both are over and silence cleared first', 'Delivered', ago(1), ago(2), 'Cleared'],
  ['both are over and silence triggered first', 'Delivered', ago(2), ago(1), 'TimedOut'],
  ['both at the same moment', 'Delivered', new Date(1_700_000_000_000), new Date(1_700_000_000_000), 'TimedOut'],
  ['nothing was delivered', 'Submitted', ago(1), null, 'TimedOut'],
] as const)('deadlines end a message: %s', async (_title, state, dateTriggers, dateClears, end) => {
  const id = await messageIn(state, { dateTriggers, dateClears });
  expect(await inOrg((tx) => progressOf(tx, id))).toMatchObject({ state: end });
  // An answer that comes now is accepted only if no deadline has ended the message.
  const later = await messageIn(state, { dateTriggers, dateClears });
  expect(await inOrg((tx) => noteStatus(tx, later, 'Accepted'))).toMatchObject({ state: end === 'Delivered' ? 'Accepted' : end });
});

test('a transfer has one message, even when it is requested twice at once', async () => {
  const transferId = await steps.transfer();
  const [one, other] = await Promise.all([
    inOrg((tx) => travelRuleStore.request(tx, transferId, TIMES)),
    inOrg((tx) => travelRuleStore.request(tx, transferId, { trigger: 5, clear: null })),
  ]);
  expect(one.id).toBe(other.id);
});
