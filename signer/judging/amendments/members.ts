import { z } from 'zod';
import type { CharterCredential, CharterMember } from '../../charters/charter';
import type { CharterChange } from '../../record/charter-entries';
import type { AssertedAction } from '../people/signed-action';
import { readSignedBody } from '../requests/signed-body';
import type { Amender, AskedChange } from './amender';

const change = (id: string, value: CharterMember | null): CharterChange => ({ section: 'members', id, value });

/** Deactivation and archival of a user. Only a charter from the operator can make the user a member again. */
export const removeMember: Amender<'deactivateUser'> & Amender<'archiveUser'> = {
  changes: ({ charter, params: { userId = '' } }) => (charter.member(userId) ? [change(userId, null)] : []),
};

/** As in the service, this operation removes only service accounts, and never a person. */
export const removeServiceAccount: Amender<'deactivateServiceAccount'> & Amender<'archiveServiceAccount'> = {
  changes: ({ charter, params: { serviceAccountId: id = '' } }) =>
    charter.member(id)?.isServiceAccount === true ? [change(id, null)] : [],
};

/** A member without credentials can neither request nor vote. The quorums of the policies do not change. */
function without(member: CharterMember, isRemoved: (one: CharterCredential) => boolean): CharterChange[] {
  const credentials = member.credentials.filter((one) => !isRemoved(one));
  return credentials.length < member.credentials.length ? [change(member.userId, { ...member, credentials })] : [];
}

const Named = z.strictObject({ credentialUuid: z.string() });

/** The id of the credential that the signed request removes. */
export const removedCredentialIn = (
  kind: 'deactivateCredential' | 'deleteCredential',
  action: Pick<AssertedAction, 'body'>,
  { credentialUuid = '' }: Readonly<Record<string, string>>,
): string => (kind === 'deleteCredential' ? credentialUuid : readSignedBody(Named, action).credentialUuid);

const removing = (kind: Parameters<typeof removedCredentialIn>[0]) => ({
  changes({ action, params }: AskedChange): CharterChange[] {
    const removed = removedCredentialIn(kind, action, params);
    return without(action.member, ({ id }) => id === removed);
  },
});

export const deactivateCredential: Amender<'deactivateCredential'> = removing('deactivateCredential');
export const deleteCredential: Amender<'deleteCredential'> = removing('deleteCredential');

export const removeToken: Amender<'deactivatePersonalAccessToken'> & Amender<'archivePersonalAccessToken'> = {
  changes: ({ action, params: { tokenId: removed = '' } }) => without(action.member, ({ tokenId }) => tokenId === removed),
};
