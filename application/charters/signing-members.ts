import type { Reader } from '../../entities/database';
import { UserEntity } from '../../entities/users/user.entity';
import { handOf } from '../../policy/approvals';
import type { Omission } from './omission';
import { type Allowing, type SigningCredential, signingCredentials } from './signing-credentials';

export type SigningMember = {
  readonly userId: string;
  readonly hand: string;
  readonly isServiceAccount: boolean;
  readonly credentials: readonly SigningCredential[];
};
type Read = {
  readonly members: readonly SigningMember[];
  /** The names of all users, by user id. */
  readonly names: ReadonlyMap<string, string>;
  readonly omitted: readonly Omission[];
};

/** The employees and service accounts who can sign now. */
export async function signingMembers(reader: Reader, allowing: Allowing): Promise<Read> {
  const users = await reader.rows(UserEntity, 'ORDER BY t.id');
  const members: SigningMember[] = [];
  const omitted: Omission[] = [];
  for (const user of users) {
    const { id: userId, isServiceAccount } = user;
    if (user.kind === 'EndUser' || !user.isActive || user.dateArchived !== null) continue;
    const { credentials, omitted: without } = await signingCredentials(reader, userId, allowing);
    omitted.push(...without);
    if (credentials.length > 0) members.push({ userId, hand: handOf(user), isServiceAccount, credentials });
    else omitted.push({ subject: userId, reason: 'has no credential that a charter can have' });
  }
  const ending = users.filter(({ kind }) => kind === 'EndUser').length;
  if (ending > 0) omitted.push({ subject: `${ending} end users`, reason: endUserWords(allowing) });
  return { members, names: new Map(users.map((user) => [user.id, nameOf(user)])), omitted };
}

const endUserWords = ({ servesEndUsers }: Allowing): string =>
  servesEndUsers
    ? 'the signer knows the holder of each key from the creation of the key'
    : 'a charter lets only members of the organisation act';

const nameOf = ({ name, username, isServiceAccount }: UserEntity): string =>
  isServiceAccount || name === '' || name === username ? name || username : `${name} <${username}>`;
