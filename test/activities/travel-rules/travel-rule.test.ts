import { createTravelRuleProgressActivities } from '../../../activities/travel-rules/progress';
import { createTravelRuleActivities } from '../../../activities/travel-rules/travel-rule';
import { activateIntegration } from '../../../application/integrations/integrations';
import { keepPayload } from '../../../application/travel-rules/payloads';
import type { TravelRulePayload } from '../../../domain/travel-rules';
import { travelRuleStore } from '../../../entities/travel-rules/travel-rule.store';
import { serveVendors, type VendorServer } from '../../../local/vendors/server';
import { createTravelRule } from '../../../local/vendors/travel-rule';
import { createSecretBox } from '../../../platform/secret-box';
import type { VendorUrls } from '../../../vendors/call';
import { createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createTransferSteps, type TransferSteps } from '../../support/transfer-steps';
import { CUSTODIAL, NON_CUSTODIAL, ORIGINATOR, WEBHOOK_SECRET } from '../../support/travel-rule';
import { waitUntil } from '../../support/wait-until';

const integrationSecrets = createSecretBox(Buffer.alloc(32, 1), 'integrations');
const travelRuleSecrets = createSecretBox(Buffer.alloc(32, 1), 'travel-rule');
const QUIET = { callbacks: 'None' } as const;

let database: TestDatabase;
let vendors: VendorServer;
let orgId: string;
let steps: TransferSteps;
beforeAll(async () => {
  database = await createTestDatabase();
  vendors = await serveVendors({ parts: [createTravelRule()], port: 0 });
  orgId = await connected();
  steps = await createTransferSteps(database.db, orgId);
});
afterAll(async () => {
  await vendors?.close();
  await database?.close();
});
afterEach(() => fetch(`${vendors.url}/scripts/travel-rule`, { method: 'DELETE' }));

/** An organisation with a connected vendor. */
async function connected(): Promise<string> {
  const id = await database.createOrganization();
  const actor = await createActor(database.db, id);
  const credentials = { apiKey: 'key-of-the-vendor', webhookSecret: WEBHOOK_SECRET };
  await activateIntegration({ db: database.db, integrationSecrets }, await actor.authority(), 'TravelRule', credentials);
  return id;
}

const over = (
  vendorUrls: VendorUrls = { TravelRule: `${vendors.url}/travel-rule` },
  boxes = { integrationSecrets, travelRuleSecrets },
) => ({
  ...createTravelRuleActivities({ db: database.db, vendorUrls, ...boxes, publicUrl: 'https://strongroom.example/' }),
  ...createTravelRuleProgressActivities({ db: database.db }),
});

async function tell(script: object, behaviour: object = { kind: 'Normal' }): Promise<void> {
  const body = JSON.stringify({ behaviour, script });
  const { status } = await fetch(`${vendors.url}/scripts/travel-rule`, { method: 'PUT', body });
  expect(status).toBe(200);
}
type Seen = { readonly method: string; readonly path: string; readonly body?: Readonly<Record<string, unknown>> };
async function seen(): Promise<readonly Seen[]> {
  const response = await fetch(`${vendors.url}/requests/travel-rule`);
  return ((await response.json()) as { readonly items: readonly Seen[] }).items;
}

/** A message to be sent, and the transfer that it belongs to. */
async function requested(payload: TravelRulePayload = CUSTODIAL) {
  const transferId = await steps.transfer({ state: 'Requested' });
  const row = await database.db.withOrg(orgId, async (tx) => {
    await keepPayload(tx, travelRuleSecrets, transferId, payload);
    return travelRuleStore.request(tx, transferId, { trigger: 600, clear: 60 });
  });
  return { ref: { orgId, transferId }, messageId: row.id };
}
const rowOf = (id: string) => database.db.withOrg(orgId, (tx) => travelRuleStore.lock(tx, id));

test('a message is validated and submitted, with the transfer, the people and the address for callbacks', async () => {
  await tell({ ...QUIET, outcome: 'Silent', deliveredAfterMs: null });
  const { ref, messageId } = await requested();
  const standing = await over().submitTravelRule(ref, messageId);
  expect(standing.state).toBe('Submitted');
  expect(standing.waitMs).toBeGreaterThan(590_000);
  expect(await rowOf(messageId)).toMatchObject({ state: 'Submitted', vendorMessageId: `sim-${messageId}` });
  const [submission, validation] = await seen();
  expect([validation, submission]).toMatchObject([
    { method: 'POST', path: '/v1/messages/validate' },
    { method: 'PUT', path: `/v1/messages/${messageId}` },
  ]);
  const { kind: _ours, ...people } = CUSTODIAL;
  expect(submission?.body).toEqual({
    reference: messageId,
    network: 'EthereumSepolia',
    asset: { kind: 'Native', decimals: 18 },
    amount: '1000000000000000000',
    from: steps.address,
    to: expect.stringMatching(/^0x/),
    ...people,
    callbackUrl: `https://strongroom.example/integrations/travel-rule/callbacks/${orgId}`,
  });
});

test('repeating a submission in any state of its row creates no second message', async () => {
  await tell({ ...QUIET, outcome: 'Silent', deliveredAfterMs: 0 });
  const { ref, messageId } = await requested();
  const { submitTravelRule } = over();
  // A worker killed after the vendor's answer and before the write leaves the row as it was.
  await submitTravelRule(ref, messageId);
  await database.db.withOrg(orgId, (tx) =>
    tx.query(`UPDATE travel_rule_messages SET state = 'Requested' WHERE org_id = $1 AND id = $2`, [orgId, messageId]),
  );
  const again = await submitTravelRule(ref, messageId);
  expect(['Submitted', 'Delivered']).toContain(again.state);
  const submissions = (await seen()).filter(({ method }) => method === 'PUT');
  expect(new Set(submissions.map(({ path }) => path)).size).toBe(1);
  const before = (await seen()).length;
  expect(await submitTravelRule(ref, messageId)).toMatchObject({ state: again.state });
  expect((await seen()).length).toBe(before);
});

test('a message that fails the vendor’s validation is Invalid and is never submitted', async () => {
  await tell({ valid: false });
  const { ref, messageId } = await requested();
  expect(await over().submitTravelRule(ref, messageId)).toEqual({ state: 'Invalid', waitMs: 0 });
  expect(await rowOf(messageId)).toMatchObject({ reason: 'RefusedByVendor' });
  expect((await seen()).map(({ method }) => method)).toEqual(['POST']);
});

test.each(['Accepted', 'Declined', 'Invalid'] as const)('the vendor is queried and replies %s', async (outcome) => {
  await tell({ ...QUIET, outcome, answeredAfterMs: 50, deliveredAfterMs: 10 });
  const { ref, messageId } = await requested();
  const { submitTravelRule, pollTravelRule } = over();
  await submitTravelRule(ref, messageId);
  await waitUntil(outcome, async () => (await pollTravelRule(ref, messageId)).state === outcome);
  expect(await pollTravelRule(ref, messageId)).toEqual({ state: outcome, waitMs: 0 });
});

test('a message without a counterparty stays Submitted, because it is not delivered to anyone', async () => {
  await tell({ ...QUIET, outcome: 'Silent', deliveredAfterMs: 0 });
  const { ref, messageId } = await requested(NON_CUSTODIAL);
  const { submitTravelRule, pollTravelRule } = over();
  await submitTravelRule(ref, messageId);
  expect(await pollTravelRule(ref, messageId)).toMatchObject({ state: 'Submitted' });
});

test.each([
  ['a server error', { kind: 'Error', status: 500 }, 'Failed'],
  ['a client error', { kind: 'Error', status: 400 }, 'Failed'],
  ['a redirect', { kind: 'Error', status: 302 }, 'Failed'],
  ['too many requests', { kind: 'RateLimited', retryAfterSeconds: 7 }, 'RateLimited'],
  ['garbage', { kind: 'Garbage' }, 'Unreadable'],
  ['a reply without end', { kind: 'TooLong' }, 'Unreadable'],
  ['half a reply', { kind: 'Broken' }, 'Unreachable'],
])(
  '%s is a failure whose text does not name a person, and the row stays for the next attempt',
  async (_title, behaviour, type) => {
    await tell({}, behaviour);
    const { ref, messageId } = await requested();
    const { submitTravelRule, failTravelRule } = over();
    const failure: unknown = await submitTravelRule(ref, messageId).catch((error: unknown) => error);
    expect(failure).toMatchObject({ type, nonRetryable: false });
    expect(failure).toMatchObject(type === 'RateLimited' ? { nextRetryDelay: 7_000 } : {});
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain(ORIGINATOR);
    expect((await rowOf(messageId)).state).toBe('Requested');
    expect(await failTravelRule(ref, messageId)).toEqual({ state: 'Failed', waitMs: 0 });
  },
);

test('no answer from the vendor is a failure too', async () => {
  await tell({}, { kind: 'Silent' });
  const { ref, messageId } = await requested();
  await expect(over().submitTravelRule(ref, messageId)).rejects.toMatchObject({ type: 'TimedOut' });
}, 20_000);

test('a submission fails at once without a configured vendor, a connected vendor or readable personal data', async () => {
  const first = await requested();
  expect(await over({}).submitTravelRule(first.ref, first.messageId)).toMatchObject({ state: 'Failed' });
  expect(await rowOf(first.messageId)).toMatchObject({ reason: 'NotConfigured' });
  const other = createSecretBox(Buffer.alloc(32, 2), 'integrations');
  const second = await requested();
  await over(undefined, { integrationSecrets: other, travelRuleSecrets }).submitTravelRule(second.ref, second.messageId);
  expect(await rowOf(second.messageId)).toMatchObject({ state: 'Failed', reason: 'NotConnected' });
  const unread = createSecretBox(Buffer.alloc(32, 2), 'travel-rule');
  const third = await requested();
  await over(undefined, { integrationSecrets, travelRuleSecrets: unread }).submitTravelRule(third.ref, third.messageId);
  expect(await rowOf(third.messageId)).toMatchObject({ state: 'Failed', reason: 'PayloadLost' });
});
