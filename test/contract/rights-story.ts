import type { Client } from '../support/client';
import { createKeyCredential } from '../support/key-credentials';
import { call } from './calls';

type Named = { readonly id: string };
type Challenge = { readonly challenge: string; readonly challengeIdentifier: string };
const CODE_LIFETIME_MS = 50_000;

/** The admin creates and archives a user, creates, assigns and archives a permission, and adds credentials. */
export async function rightsStory(admin: Client, otherUserId: string): Promise<void> {
  const { userId } = await call<{ userId: string }>(admin, 'createUser', {
    body: { email: 'guest@example.com', kind: 'CustomerEmployee', isSSORequired: false },
  });
  const user = { params: { userId } };
  await call(admin, 'updateUser', { ...user, body: { isSSORequired: true } });
  await call(admin, 'deactivateUser', { ...user, body: {} });
  await call(admin, 'activateUser', { ...user, body: {} });
  await call(admin, 'archiveUser', user);

  const readers = { name: 'Readers of wallets', operations: ['Wallets:Read'] };
  const { id: permissionId } = await call<Named>(admin, 'createPermission', { body: readers });
  const permission = { params: { permissionId } };
  await call(admin, 'listPermissions');
  await call(admin, 'getPermission', permission);
  await call(admin, 'updatePermission', { ...permission, body: { operations: ['Wallets:Read', 'Keys:Read'] } });
  const { id: assignmentId } = await call<Named>(admin, 'createAssignment', { ...permission, body: { identityId: otherUserId } });
  await call(admin, 'listAssignments', permission);
  await call(admin, 'deleteAssignment', { params: { permissionId, assignmentId } });
  await call(admin, 'archivePermission', { ...permission, body: { isArchived: true } });

  const further = ({ challenge, challengeIdentifier }: Challenge, credentialName: string) => ({
    ...createKeyCredential('Key').attest(challenge),
    credentialName,
    challengeIdentifier,
  });
  const begun = await call<Challenge>(admin, 'createCredentialChallenge', { body: { kind: 'Key' } });
  const { credentialUuid } = await call<{ credentialUuid: string }>(admin, 'createCredential', {
    body: further(begun, 'Second'),
  });
  await call(admin, 'deactivateCredential', { body: { credentialUuid } });
  await call(admin, 'activateCredential', { body: { credentialUuid } });
  await call(admin, 'deleteCredential', { params: { credentialUuid } });
  const expiration = new Date(Date.now() + CODE_LIFETIME_MS).toISOString();
  const { code } = await call<{ code: string }>(admin, 'createCredentialCode', { body: { expiration } });
  const coded = await call<Challenge>(admin, 'createCredentialChallengeWithCode', { body: { credentialKind: 'Key', code } });
  await call(admin, 'createCredentialWithCode', { body: further(coded, 'Third') });
}
