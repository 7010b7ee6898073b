import { removeCredential, setCredentialActive } from '../../../application/credentials/credentials';
import { amendmentStore } from '../../../entities/charters/amendment.store';
import { credentialStore } from '../../../entities/credentials/credential.store';
import { keyRecordStore } from '../../../entities/keys/key-record.store';
import { newId } from '../../../platform/ids';
import { type Actor, createActor } from '../../support/actor';
import { seeCharter } from '../../support/charter-rows';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { createKeyCredential } from '../../support/key-credentials';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.close());

/** A person who has two credentials, in an organisation with a charter. */
async function person(kind: 'EndUser' | 'CustomerEmployee') {
  const orgId = await database.createOrganization();
  await seeCharter(database.db, orgId, 1, { endUsers: { networks: 'Test' } });
  const actor = await createActor(database.db, orgId, kind);
  const { userId } = actor.caller;
  const [id, { credId: credentialId, publicKeyPem: publicKey }] = [newId('credential'), createKeyCredential()];
  const nothing = { encryptedPrivateKey: null, secret: null, signCount: '0', lastStep: null, isTokenBound: false };
  const of = { id, userId, credentialId, publicKey, name: 'Second', relyingPartyId: 'localhost', origin: 'http://localhost' };
  await database.db.withOrg(orgId, (tx) => credentialStore.add(tx, { ...of, ...nothing, kind: 'Key' }));
  return { actor, id };
}

async function giveKey({ caller: { orgId, userId: delegatedTo } }: Actor): Promise<void> {
  const form = { scheme: 'ECDSA', curve: 'secp256k1', isMaster: false, derivedFrom: null, derivationPath: null } as const;
  const of = { id: newId('key'), delegatedTo, mayBeDelegated: false, storeId: 'ks-1', name: null, createdBy: delegatedTo };
  await database.db.withOrg(orgId, (tx) => keyRecordStore.insert(tx, { ...form, ...of }));
}

const amendmentsOf = async ({ caller: { orgId } }: Actor) =>
  (await amendmentStore.waiting(database.db.read(orgId), 10)).map(({ kind }) => kind);

test('the signer is notified when a member, or an end user with a key, removes a credential, even if the key is not made yet', async () => {
  for (const kind of ['CustomerEmployee', 'EndUser'] as const) {
    const { actor, id } = await person(kind);
    if (kind === 'EndUser') await giveKey(actor);
    await setCredentialActive(database, await actor.authority(), id, false);
    await removeCredential(database, await actor.authority(), id);
    expect(await amendmentsOf(actor)).toEqual(['deactivateCredential', 'deleteCredential']);
  }
});

test('the credentials of an end user without a key are unknown to the signer, and their removal amends nothing', async () => {
  const { actor, id } = await person('EndUser');
  await removeCredential(database, await actor.authority(), id);
  expect(await amendmentsOf(actor)).toEqual([]);
});
