import type { Authority } from '../../application/authority';
import type { Caller, CallerKind } from '../../domain/callers';
import type { Database } from '../../entities/database';
import { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import { UserEntity } from '../../entities/users/user.entity';
import { newId } from '../../platform/ids';

export type Actor = {
  readonly caller: Caller;
  readonly username: string;
  /** A fresh user action, signed and not yet consumed. */
  readonly authority: () => Promise<Authority>;
};

const USER_ACTION_MS = 60_000;

/** A user with rows of its own, for tests of use cases below HTTP. */
export async function createActor(db: Database, orgId: string, kind: CallerKind = 'CustomerEmployee'): Promise<Actor> {
  const userId = newId('user');
  const tokenId = newId('token');
  const username = `${userId}@example.test`;
  const isServiceAccount = kind === 'ServiceAccount';
  await db.withOrg(orgId, (tx) =>
    tx.insert(UserEntity, {
      orgId,
      id: userId,
      username,
      name: 'Some User',
      kind: kind === 'EndUser' ? 'EndUser' : 'CustomerEmployee',
      isServiceAccount,
      isRegistered: true,
    }),
  );
  const caller: Caller = { orgId, userId, tokenId, kind, isPersonalToken: false, permissions: new Set(['*']) };
  return {
    caller,
    username,
    authority: async () => {
      const id = newId('userAction');
      const now = new Date();
      await db.withOrg(orgId, (tx) =>
        tx.insert(UserActionEntity, {
          orgId,
          id,
          userId,
          tokenId,
          method: 'POST',
          path: '/',
          bodySha256: '',
          credentialIds: [],
          nonce: '',
          challenge: '',
          dateExpires: new Date(now.getTime() + USER_ACTION_MS),
          dateSigned: now,
        }),
      );
      return { caller, action: { id, consumed: false } };
    },
  };
}
