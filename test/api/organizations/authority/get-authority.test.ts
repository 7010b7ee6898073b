import { createActor } from '../../../support/actor';
import { startApi, type TestApi } from '../../../support/api';
import { addAmendment, seeCharter } from '../../../support/charter-rows';
import { noteAnswer } from '../../../support/examples';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

const PATH = '/organizations/authority';

test('200: the answer has the charter as the service has read it, its fingerprints, and the waiting and refused changes', async () => {
  const orgId = await api.createOrganization();
  const { db } = api.database;
  const seen = { operations: ['createApprovalDecision', 'transferAsset'], origins: ['https://approve.example'] };
  const more = { mainnets: ['Ethereum'], exports: { waitHours: 24, policies: [] }, endUsers: { networks: 'Test' } };
  const digest = await seeCharter(db, orgId, 3, { seen, ...more });
  const actor = await createActor(db, orgId);
  const [refused, waiting] = [await actor.authority(), await actor.authority()].map(({ action }) => action?.id ?? '');
  const refusedId = await addAmendment(db, orgId, refused ?? '', 'createPolicy');
  const waitingId = await addAmendment(db, orgId, waiting ?? '', 'tagWallet');
  await api.database.arrange(
    `UPDATE amendments SET status = 'Refused', reason = 'NotPermitted', date_ended = clock_timestamp() WHERE id = $1`,
    [refusedId],
  );
  const answer = await (await api.createPerson(orgId)).client.get(PATH);
  noteAnswer('getAuthority', undefined, answer);
  const common = { requester: { userId: actor.caller.userId }, request: { method: 'POST', path: '/' } };
  expect(answer.body).toEqual({
    charter: {
      ...{ sequence: 3, digest, dateSeen: expect.any(String), signerId: 'sgn-1', wallets: 1, policies: [] },
      members: [
        {
          ...{ userId: 'us-1', hand: 'us-1', isServiceAccount: false },
          credentials: [
            {
              ...{ id: 'cred-1', kind: 'Key', operations: ['transferAsset', 'createPolicy'] },
              fingerprint: expect.stringMatching(/^([0-9a-f]{4} ){7}[0-9a-f]{4}$/),
            },
          ],
        },
      ],
      changePolicies: [expect.objectContaining({ id: 'plc-1', activityKind: 'Policies:Modify' })],
      limits: [{ walletId: 'wa-1', asset: 'native', hours: 24, unitsMax: '100' }],
      feeSponsors: [{ id: 'fs-1', walletId: 'wa-1' }],
      seen,
      ...more,
    },
    waiting: [
      { ...common, id: waitingId, kind: 'tagWallet', status: 'Waiting', userActionId: waiting, dateCreated: expect.any(String) },
    ],
    refused: [
      expect.objectContaining({ ...common, id: refusedId, status: 'Refused', reason: 'NotPermitted', userActionId: refused }),
    ],
  });
});

test('200: without a charter, the answer is null and does not show the charter of another organisation', async () => {
  const { client } = await api.createPerson(await api.createOrganization());
  expect((await client.get(PATH)).body).toEqual({ charter: null, waiting: [], refused: [] });
});

test('200: if the charter allows blind signatures, the answer does not list any requests that people must see', async () => {
  const orgId = await api.createOrganization();
  await seeCharter(api.database.db, orgId);
  const { body } = await (await api.createPerson(orgId)).client.get(PATH);
  expect((body as { charter: { seen: unknown } }).charter.seen).toBeNull();
});

test('503: this release cannot read the charter, and the answer does not report this as a fault of the caller', async () => {
  const orgId = await api.createOrganization();
  await seeCharter(api.database.db, orgId);
  await api.database.arrange(`UPDATE charters SET text = '{}' WHERE org_id = $1`, [orgId]);
  const { status, body } = await (await api.createPerson(orgId)).client.get(PATH);
  expect([status, body]).toMatchObject([503, { error: { id: 'NotReady' } }]);
});

test('403: without the permission, and for an end user', async () => {
  const orgId = await api.createOrganization();
  const statusOf = async (person: Parameters<TestApi['createPerson']>[1]) =>
    (await (await api.createPerson(orgId, person)).client.get(PATH)).status;
  expect(await statusOf({ operations: ['Wallets:Read'] })).toBe(403);
  expect(await statusOf({ operations: ['Orgs:Settings:Read'] })).toBe(200);
  expect(await statusOf({ kind: 'EndUser' })).toBe(403);
});
