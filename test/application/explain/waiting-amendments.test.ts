import { explainSignature, explainTransfer } from '../../../application/explain/records';
import type { AmendmentKind } from '../../../domain/amendments';
import { refusalIn, refusalText } from '../../../domain/signer-refusals';
import { amendmentStore } from '../../../entities/charters/amendment.store';
import { KeyEntity } from '../../../entities/keys/key.entity';
import type { OutgoingEntity } from '../../../entities/outgoing/outgoing.entity';
import { SignatureEntity } from '../../../entities/signatures/signature.entity';
import { newId } from '../../../platform/ids';
import { type Actor, createActor } from '../../support/actor';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { insertTransferOf } from '../../support/explained';
import { holdTransfer, insertPolicy, insertWallet } from '../../support/held-activity';
import { askFor } from '../../support/policies';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());
let orgId: string;
let walletId: string;
let actor: Actor;
beforeEach(async () => {
  orgId = await database.createOrganization();
  walletId = await insertWallet(database.db, orgId);
  actor = await createActor(database.db, orgId);
  await insertPolicy(database.db, orgId, { action: askFor([{ name: 'Finance', quorum: 1, approvers: {} }]) });
});

async function waiting(kind: AmendmentKind, given: Record<string, unknown> = {}, path = '/'): Promise<string> {
  const { action } = await actor.authority({ path, approvalDigest: null });
  const id = newId('amendment');
  const row = { id, kind, userActionId: action?.id ?? '', approvalId: null, given };
  await database.db.withOrg(orgId, (tx) => amendmentStore.add(tx, row));
  return id;
}
async function failed(reason: string | null, set: Partial<OutgoingEntity> = {}) {
  const { approvalId } = await holdTransfer(database.db, orgId, {
    ...{ activityId: newId('transfer'), walletId, initiatorId: actor.caller.userId },
  });
  const row = await insertTransferOf(database.db, orgId, approvalId, { policyEpoch: 1, state: 'Failed', reason, ...set });
  const { waitingAmendments, sentences } = await explainTransfer(database.db.read(orgId), row);
  return { ids: waitingAmendments.map(({ amendmentId }) => amendmentId), sentences: sentences.join(' ') };
}

test('a reason is read only from the stored text of a refusal by the signer', () => {
  expect(refusalIn(refusalText('NotInCharter'))).toBe('NotInCharter');
  for (const text of [null, '', 'NotInCharter', 'A policy said: The signer refused the order: NotInCharter'])
    expect(refusalIn(text)).toBeUndefined();
});

test('for a wallet that is not in the charter yet, the explanation names the amendment that creates the wallet, and since when the amendment has waited', async () => {
  await waiting('createWallet', { walletId: newId('wallet'), keyId: newId('key') });
  await waiting('createPolicy');
  const id = await waiting('createWallet', { walletId, keyId: newId('key') });
  const { ids, sentences } = await failed(refusalText('NotInCharter'));
  expect(ids).toEqual([id]);
  expect(sentences).toMatch(
    new RegExp(
      `does not contain the change ${id} \\(createWallet\\), which has waited since \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d UTC`,
    ),
  );
});

test.each(['PolicyBlocked', 'ApprovalMissing', 'ApprovalMismatch'])(
  'after %s, the explanation names waiting changes of policies and of the tags of this wallet, oldest first',
  async (reason) => {
    const policy = await waiting('archivePolicy');
    const tag = await waiting('tagWallet', {}, `/wallets/${walletId}/tags`);
    await waiting('tagWallet', {}, `/wallets/${newId('wallet')}/tags`);
    await waiting('createWallet', { walletId, keyId: newId('key') });
    await waiting('deactivateUser');
    const { ids, sentences } = await failed(refusalText(reason));
    expect(ids).toEqual([policy, tag]);
    expect(sentences).toContain(`2 changes. The first is ${policy} (archivePolicy)`);
  },
);

test('no amendment is named if the transfer waits for a different reason, nor once the signer has answered', async () => {
  const [policy, wallet] = [await waiting('createPolicy'), await waiting('createWallet', { walletId, keyId: newId('key') })];
  for (const reason of [refusalText('AboveLimit'), refusalText('constructor'), 'NotInCharter', 'The node refused it', null])
    expect(await failed(reason)).toMatchObject({ ids: [], sentences: expect.not.stringContaining('charter') });
  await database.db.withOrg(orgId, async (tx) => {
    await amendmentStore.end(tx, policy, { status: 'Refused', reason: 'NotPermitted' });
    await amendmentStore.end(tx, wallet, { status: 'InForce', sequence: 2, digest: 'ab'.repeat(32) });
  });
  expect((await failed(refusalText('NotInCharter'))).ids).toEqual([]);
  expect((await failed(refusalText('ApprovalMissing'))).ids).toEqual([]);
});

test('the explanation of a signature that was requested with only a key shows that the creation of a wallet of this key still waits', async () => {
  const [key] = await database.db.read(orgId).rows(KeyEntity, 'ORDER BY t.id LIMIT 1');
  const keyId = key?.id ?? '';
  const id = newId('signature');
  const payload = { kind: 'Hash', digestHex: 'ab' } as const;
  const asked = { requesterUserId: actor.caller.userId, userActionId: newId('userAction'), requestBody: {}, requestDigest: id };
  const ended = { state: 'Failed' as const, reason: refusalText('NotInCharter'), policyEpoch: 1 };
  await database.db.withOrg(orgId, (tx) =>
    tx.insert(SignatureEntity, { orgId, id, keyId, kind: 'Hash', payload, ...asked, ...ended }),
  );
  const row = await database.db.read(orgId).row(SignatureEntity, 'WHERE t.id = $1', [id]);
  if (!row) throw new Error('the request is missing');
  const named = async () => (await explainSignature(database.db.read(orgId), row)).waitingAmendments;
  await waiting('createWallet', { walletId: newId('wallet'), keyId: newId('key') });
  expect(await named()).toEqual([]);
  const amendmentId = await waiting('createWallet', { walletId: newId('wallet'), keyId });
  expect(await named()).toEqual([{ amendmentId, kind: 'createWallet', since: expect.any(String) }]);
});
