import { randomBytes } from 'node:crypto';
import { createKeyActivities } from '../../../activities/keys/keys';
import { sealQuestion } from '../../../application/keys/ask-signer';
import type { KeyRequestQuestion } from '../../../domain/key-requests';
import type { Database } from '../../../entities/database';
import { EventEntity } from '../../../entities/events/event.entity';
import { KeyEntity } from '../../../entities/keys/key.entity';
import { keyRequestStore } from '../../../entities/keys/key-request.store';
import { policyStore } from '../../../entities/policies/policy.store';
import { newId } from '../../../platform/ids';
import { createSecretBox } from '../../../platform/secret-box';
import { createActor } from '../../support/actor';
import { APPROVING } from '../../support/approving';
import { ANY_CAUSE } from '../../support/causes';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { dyingAfter } from '../../support/dying-database';
import { insertPolicy } from '../../support/held-activity';
import { createRecipient, ECDSA } from '../../support/keys';
import { asSuperuser } from '../../support/roles';
import { startTestSigner, type TestSigner } from '../../support/signer';

const box = createSecretBox(randomBytes(32), 'key-requests');

let database: TestDatabase;
let signer: TestSigner;
let orgId: string;
let userId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  signer = await startTestSigner();
});
beforeEach(async () => {
  orgId = await database.createOrganization();
  userId = (await createActor(database.db, orgId)).caller.userId;
});
afterAll(async () => {
  await signer?.close();
  await database?.close();
});

const over = (db: Database) =>
  createKeyActivities({ ...APPROVING, db, signer: signer.client, keyRequestSecrets: box, causes: ANY_CAUSE });
const keyRow = (id: string) => database.db.read(orgId).row(KeyEntity, 'WHERE t.id = $1', [id]);

async function creating(form: Pick<KeyEntity, 'scheme' | 'curve'> = ECDSA): Promise<string> {
  const id = newId('key');
  await database.db.withOrg(orgId, (tx) => tx.insert(KeyEntity, { orgId, id, ...form, status: 'Creating' }));
  return id;
}

async function made(form?: Pick<KeyEntity, 'scheme' | 'curve'>): Promise<string> {
  const id = await creating(form);
  await over(database.db).makeKey({ orgId, keyId: id });
  return id;
}

test('the signer is not asked for the key of another store, even if a row says that the key is in creation', async () => {
  const keyId = await creating();
  await database.arrange(`UPDATE keys SET store_id = 'ks-1' WHERE id = $1`, [keyId]);
  await expect(over(database.db).makeKey({ orgId, keyId })).rejects.toMatchObject({ code: 'Internal' });
  expect(await keyRow(keyId)).toMatchObject({ status: 'Creating', publicKey: null });
});

async function asked(keyId: string, question: KeyRequestQuestion): Promise<string> {
  const id = newId('keyRequest');
  const { kind } = question;
  const sealedQuestion = sealQuestion(box, id, question);
  await database.db.withOrg(orgId, (tx) =>
    keyRequestStore.add(tx, { id, kind, keyId, userId, tokenId: null, userActionId: null, sealedQuestion }),
  );
  return id;
}

const requestRow = (id: string) => keyRequestStore.find(database.db.read(orgId), id);
const eventsOf = async (id: string) =>
  (await database.db.read(orgId).rows(EventEntity, 'WHERE t.aggregate_id = $1', [id])).map(({ kind }) => kind);

test('a key is made once, with one event, although the activity is killed after the commit', async () => {
  const before = signer.keys();
  const keyId = await creating();
  await expect(over(dyingAfter(database.db, 1)).makeKey({ orgId, keyId })).rejects.toThrow('killed');
  const first = await keyRow(keyId);
  await over(database.db).makeKey({ orgId, keyId });
  expect(await keyRow(keyId)).toEqual(first);
  expect(first).toMatchObject({ status: 'Active', publicKey: expect.stringMatching(/^0[23][0-9a-f]{64}$/) });
  expect([signer.keys() - before, await eventsOf(keyId)]).toEqual([1, ['key.created']]);
});

test.each([
  ['after the commit of the state Asked', 1],
  ['after the commit of the answer', 2],
] as const)('an export ends once, with one event, when the activity is killed %s', async (_, commit) => {
  const keyId = await made();
  const { encryptionKey } = await createRecipient();
  const requestId = await asked(keyId, { kind: 'Export', recipientKey: encryptionKey });
  await expect(over(dyingAfter(database.db, commit)).carryOutKeyRequest({ orgId, requestId })).rejects.toThrow('killed');
  await over(database.db).carryOutKeyRequest({ orgId, requestId });
  const ended = await requestRow(requestId);
  expect(ended).toMatchObject({ status: 'Done', sealedQuestion: null, sealedAnswer: expect.any(String) });
  await over(database.db).carryOutKeyRequest({ orgId, requestId });
  expect(await requestRow(requestId)).toEqual(ended);
  expect(await eventsOf(keyId)).toEqual(['key.created', 'key.exported']);
  expect((await keyRow(keyId))?.dateExported).toBeInstanceOf(Date);
});

test('a derivation gives the same output twice, and its row contains neither the input nor the output in plain text', async () => {
  const keyId = await made({ scheme: 'DH', curve: 'secp256k1' });
  const outputs: unknown[] = [];
  for (const commit of [1, 2]) {
    const requestId = await asked(keyId, { kind: 'Derive', domainHex: '0xabcd', seedHex: '0x01' });
    await expect(over(dyingAfter(database.db, commit)).carryOutKeyRequest({ orgId, requestId })).rejects.toThrow('killed');
    await over(database.db).carryOutKeyRequest({ orgId, requestId });
    const row = await requestRow(requestId);
    expect(row?.sealedQuestion).toBeNull();
    outputs.push(JSON.parse(box.open(row?.sealedAnswer ?? '', `answer ${requestId}`)));
  }
  expect(outputs[0]).toEqual({ outputHex: expect.stringMatching(/^0x0[23][0-9a-f]{64}$/) });
  expect(outputs[1]).toEqual(outputs[0]);
});

test('a refusal by the signer ends a request with the reason, and a late request never reaches the signer', async () => {
  const keyId = await made();
  const derive = { kind: 'Derive', domainHex: '0xabcd', seedHex: '0x01' } as const;
  const refused = await asked(keyId, derive);
  await over(database.db).carryOutKeyRequest({ orgId, requestId: refused });
  expect(await requestRow(refused)).toMatchObject({ status: 'Refused', sealedAnswer: null, refusal: expect.any(String) });

  const late = await asked(keyId, { kind: 'Export', recipientKey: (await createRecipient()).encryptionKey });
  const older = `UPDATE key_requests SET date_created = date_created - interval '21 seconds' WHERE id = '${late}'`;
  await asSuperuser((client) => client.query(older), database.name);
  await over(database.db).carryOutKeyRequest({ orgId, requestId: late });
  expect(await requestRow(late)).toMatchObject({ status: 'Refused', refusal: 'TooLate' });
  expect(await eventsOf(keyId)).toEqual(['key.created']);
});

test.each(['Pending', 'Asked'] as const)(
  'where a policy asks for approval, an export in state %s that no person approved is refused',
  async (status) => {
    const keyId = await made();
    const { encryptionKey } = await createRecipient();
    const action = { kind: 'RequestApproval', approvalGroups: [{ quorum: 1, approvers: {} }] } as const;
    const policyId = await insertPolicy(database.db, orgId, { activityKind: 'Keys:Export', action });
    const requestId = await asked(keyId, { kind: 'Export', recipientKey: encryptionKey });
    if (status === 'Asked') await database.db.withOrg(orgId, (tx) => keyRequestStore.asked(tx, requestId));
    await over(database.db).carryOutKeyRequest({ orgId, requestId });
    expect(await requestRow(requestId)).toMatchObject({ status: 'Refused', refusal: 'NotPermitted', sealedAnswer: null });
    expect(await keyRow(keyId)).toMatchObject({ dateExported: null });
    await database.db.withOrg(orgId, (tx) => policyStore.change(tx, policyId, { status: 'Archived', version: 2 }));
    const free = await asked(keyId, { kind: 'Export', recipientKey: encryptionKey });
    await over(database.db).carryOutKeyRequest({ orgId, requestId: free });
    expect(await requestRow(free)).toMatchObject({ status: 'Done' });
  },
);
