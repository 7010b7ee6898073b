import { createJudgementActivities } from '../../../../activities/outgoing/judge';
import { createSigningActivities } from '../../../../activities/outgoing/sign';
import type { Reader } from '../../../../entities/database';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../../../entities/outgoing/outgoing.store';
import { newId } from '../../../../platform/ids';
import { APPROVING } from '../../../support/approving';
import { consumedAction } from '../../../support/signed-actions';
import { startTransferApi, type TransferApi } from '../../../support/transfer-api';

const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const THIEF = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';

let on: TransferApi;
beforeAll(async () => {
  on = await startTransferApi();
});
afterAll(() => on?.close());

const reader = (): Reader => on.api.database.db.read(on.orgId);
const rowOf = async (id: string): Promise<OutgoingEntity> => {
  const row = await outgoingStore.find(reader(), id);
  if (!row) throw new Error(`no transfer ${id}`);
  return row;
};
/** Requests a transfer over the API, and returns its row. */
async function asked(body: object = {}, client = on.admin.client): Promise<OutgoingEntity> {
  const path = `/wallets/${on.wallet.id}/transfers`;
  const answer = await client.change('POST', path, { kind: 'Native', to: RECIPIENT, amount: '1000', ...body });
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return rowOf((answer.body as { id: string }).id);
}
const verdict = async (row: OutgoingEntity) => on.causes.ofTransfer(reader(), row);
/** Inserts the row of a transfer directly, with the database role of the application. */
async function inserted(from: OutgoingEntity, set: Partial<OutgoingEntity>): Promise<OutgoingEntity> {
  const id = newId('transfer');
  const { laneAddress: _derived, ...columns } = from;
  await on.api.database.db.withOrg(on.orgId, (tx) =>
    tx.insert(OutgoingEntity, { ...columns, state: 'Requested', version: 1, approvalId: null, verdictId: null, ...set, id }),
  );
  return rowOf(id);
}
const changed = (row: OutgoingEntity, set: Partial<OutgoingEntity>) => ({ ...row, ...set });

test('a transfer is proven if its requester signed the request', async () => {
  expect(await verdict(await asked())).toBeUndefined();
  expect(await verdict(await asked({ priority: 'Fast', externalId: 'proven-1' }))).toBeUndefined();
});

test('a row that was inserted without a signed request ends as Failed, and an alarm is raised', async () => {
  const good = await asked();
  const before = on.alarms.length;
  const row = await inserted(good, { userActionId: null, toAddress: THIEF, externalId: null });
  const { evaluateTransfer } = createJudgementActivities({
    ...APPROVING,
    ...{ db: on.api.database.db, prices: { priceOf: async () => undefined }, causes: on.causes },
  });
  expect(await evaluateTransfer({ orgId: on.orgId, transferId: row.id })).toEqual({ outcome: 'Ended', state: 'Failed' });
  expect(await rowOf(row.id)).toMatchObject({ state: 'Failed', reason: expect.stringContaining('NoAction') });
  expect(on.alarms.slice(before)).toEqual([`transfers ${row.id} NoAction`]);
});

test('a row that was inserted in state Signing is withdrawn and ends as Failed, and the signer does not get an order', async () => {
  const good = await asked();
  const row = await inserted(good, { userActionId: null, toAddress: THIEF, state: 'Signing', externalId: null });
  const { client } = on.signer;
  const signTransfer = jest.fn(client.signTransfer);
  const activities = createSigningActivities({
    ...APPROVING,
    db: on.api.database.db,
    signer: { ...client, signTransfer },
    causes: on.causes,
  });
  expect(await activities.signTransfer({ orgId: on.orgId, transferId: row.id })).toBe('Refused');
  expect(signTransfer).not.toHaveBeenCalled();
  expect(await rowOf(row.id)).toMatchObject({ state: 'Failed', reason: expect.stringContaining('NoAction') });
});

test('the user action of one record does not authorise a second record', async () => {
  const good = await asked();
  await expect(inserted(good, { externalId: null })).rejects.toThrow(/transfers_by_user_action/);
});

test.each<[string, Partial<OutgoingEntity>, string]>([
  ['recipient', { toAddress: THIEF }, 'ContentDiffers toAddress'],
  ['amount', { amountUnits: '1001' }, 'ContentDiffers amountUnits'],
  ['asset', { assetKind: 'Erc20', contract: THIEF }, 'ContentDiffers assetKind'],
  ['contract', { contract: THIEF }, 'ContentDiffers contract'],
  ['sponsor', { feeSponsorId: 'fs-1' }, 'ContentDiffers feeSponsorId'],
  ['priority', { priority: 'Fast' }, 'ContentDiffers priority'],
  ['body', { requestBody: { kind: 'Native', to: THIEF, amount: '1000' } }, 'BodyDiffers'],
  ['external id', { externalId: 'another' }, 'BodyDiffers'],
  ['travel rule', { travelRuleDigest: 'aa' }, 'TravelRuleDiffers'],
  ['network', { network: 'Ethereum' }, 'WalletDiffers'],
  ['sender', { fromAddress: THIEF }, 'WalletDiffers'],
  ['fee ceiling', { feeCeilingUnits: (10n ** 30n).toString() }, 'CeilingDiffers'],
  ['form', { form: 'Transaction' }, 'PathDiffers'],
  ['requester', { requesterUserId: 'us-1' }, 'ActionOfAnother'],
  ['maker', { madeByService: true }, 'NoAction'],
  ['rival', { claimsOf: 'xfr-1' }, 'TiesDiffer'],
])('a transfer with a changed %s in its row is refused', async (_name, set, reason) => {
  expect(await verdict(changed(await asked(), set))).toBe(reason);
});

test('a transfer is refused if the API would refuse the signed text', async () => {
  const body = { kind: 'Native', to: RECIPIENT, amount: '1000', remark: 'unknown' };
  const userActionId = await consumedAction(on, `/wallets/${on.wallet.id}/transfers`, body);
  const row = await inserted(await asked(), { userActionId, requestBody: body, externalId: null });
  expect(await verdict(row)).toBe('BodyUnreadable');
});

test('a row that was supposedly made by the service is accepted only if it pays nothing or repeats an earlier payment', async () => {
  const good = await asked();
  const own = { madeByService: true, requestBody: {}, userActionId: null };
  const filler = { ...own, replacementKind: 'Cancel', replacesId: good.id, askedNonce: 0 } as const;
  const nothing = { toAddress: on.wallet.address, amountUnits: '0', options: {}, terms: null };
  expect(await verdict(changed(good, { ...filler, ...nothing }))).toBeUndefined();
  expect(await verdict(changed(good, filler))).toBe('PaysSomebody');
  expect(await verdict(changed(good, { ...filler, ...nothing, askedNonce: null }))).toBe('TiesDiffer');

  const faster = { ...own, replacementKind: 'SpeedUp', replacesId: good.id, claimsOf: good.id } as const;
  expect(await verdict(changed(good, faster))).toBeUndefined();
  expect(await verdict(changed(good, { ...faster, toAddress: THIEF }))).toBe('ContentDiffers toAddress');
  expect(await verdict(changed(good, { ...faster, claimsOf: null }))).toBe('TiesDiffer');

  const child = { ...own, paysForId: good.id } as const;
  expect(await verdict(changed(good, { ...child, ...nothing }))).toBeUndefined();
  expect(await verdict(changed(good, child))).toBe('PaysSomebody');
});

test('a speed-up is refused if the row of its payment was changed', async () => {
  const good = await asked();
  await on.api.database.db.withOrg(on.orgId, (tx) => tx.update(OutgoingEntity, { id: good.id }, { toAddress: THIEF }));
  const row = changed(await rowOf(good.id), {
    ...{ madeByService: true, userActionId: null, replacementKind: 'SpeedUp', replacesId: good.id, claimsOf: good.id },
  });
  expect(await verdict(row)).toBe('ContentDiffers toAddress');
});

test('a transfer is refused if the requester has since lost the permission or been deactivated', async () => {
  const { admin, api, orgId } = on;
  const person = await api.createPerson(orgId, { operations: ['Wallets:Transfers:Create', 'Wallets:Read'] });
  const row = await asked({}, person.client);
  expect(await verdict(row)).toBeUndefined();
  const [assignment] = await reader().select<{ id: string; permissionId: string }>(
    'SELECT id, permission_id AS "permissionId" FROM permission_assignments WHERE user_id = $1',
    [person.userId],
  );
  const path = `/permissions/${assignment?.permissionId}/assignments/${assignment?.id}`;
  expect(await admin.client.change('DELETE', path)).toMatchObject({ status: 200 });
  expect(await verdict(row)).toBe('NotPermitted');
  expect(await admin.client.change('PUT', `/auth/users/${person.userId}/deactivate`)).toMatchObject({ status: 200 });
  expect(await verdict(row)).toBe('RequesterInactive');
});

test('a user action is not found through another organisation', async () => {
  const good = await asked();
  const { db } = on.api.database;
  expect(await on.causes.ofTransfer(db.read(on.stranger.orgId), good)).toBe('NoSuchAction');
});

test('a digest alone does not prove a transfer when the signed text is missing', async () => {
  const good = await asked();
  await on.api.database.arrange('UPDATE user_actions SET sealed_body = NULL WHERE id = $1', [good.userActionId]);
  expect(await verdict(good)).toBe('BodyMissing');
});
