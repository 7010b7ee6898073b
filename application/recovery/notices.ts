import type { Mail } from '../../domain/mails';
import type { Tx } from '../../entities/database';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import type { UserEntity } from '../../entities/users/user.entity';
import { type Mailing, queueMail } from '../mails/mails';
import { fullAdmins } from '../users/full-admins';

type Notice = Extract<Mail, { readonly template: `Recovery${'Started' | 'Stopped' | 'Completed'}` | 'ReissueStarted' }>;
type Words = Notice extends infer N ? (N extends Notice ? Pick<N, 'template' | 'data'> : never) : never;

/** Mails the user and every full administrator, so that people who took no part in a recovery learn of the recovery at once. */
export async function tellConcerned(
  tx: Tx,
  services: Mailing,
  user: Pick<UserEntity, 'id' | 'username'>,
  words: Words,
): Promise<readonly Dispatch[]> {
  const concerned = new Map([[user.id, user.username]]);
  for (const { id, username } of await fullAdmins(tx)) concerned.set(id, username);
  const mails: Dispatch[] = [];
  for (const to of concerned.values()) mails.push(await queueMail(tx, services, { ...words, userId: user.id, to }));
  return mails;
}
