import { randomBytes } from 'node:crypto';
import type { Authority } from '../../application/user-actions/act';
import type { Caller, CallerKind } from '../../domain/callers';
import { credentialStore } from '../../entities/credentials/credential.store';
import type { Database } from '../../entities/database';
import { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import { UserEntity } from '../../entities/users/user.entity';
import { challengeOf, NONCE_BYTES } from '../../platform/action-challenge';
import { newId } from '../../platform/ids';
import { createKeyCredential, type KeyCredential } from './key-credentials';

export type Actor = {
  readonly caller: Caller;
  readonly username: string;
  readonly credentialUuid: string;
  /** Creates a signed user action that is not consumed yet. */
  readonly authority: (asked?: Asked) => Promise<Authority>;
};

/** The request for which the actor signs. */
export type Asked = {
  readonly method?: 'POST' | 'DELETE';
  readonly path: string;
  readonly approvalDigest: string | null;
  /** The credential that signs instead of the actor's first credential. */
  readonly credential?: { readonly id: string; readonly key: KeyCredential };
};

const USER_ACTION_MS = 60_000;
const NOTHING_ASKED: Asked = { path: '/', approvalDigest: null };

/** Inserts a user with a credential, for tests that call use cases without HTTP. */
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
  const ownKey = createKeyCredential();
  const credentialUuid = newId('credential');
  await db.withOrg(orgId, (tx) =>
    credentialStore.add(tx, {
      ...{
        id: credentialUuid,
        userId,
        kind: 'Key',
        credentialId: ownKey.credId,
        name: 'Some key',
        publicKey: ownKey.publicKeyPem,
      },
      ...{ encryptedPrivateKey: null, secret: null, signCount: '0', lastStep: null },
      ...{ relyingPartyId: 'localhost', origin: 'http://localhost', isTokenBound: false },
    }),
  );
  const caller: Caller = { orgId, userId, tokenId, kind, isPersonalToken: false, permissions: new Set(['*']) };
  return {
    caller,
    username,
    credentialUuid,
    authority: async ({ method = 'POST', path, approvalDigest, credential: another } = NOTHING_ASKED) => {
      const credential = another ?? { id: credentialUuid, key: ownKey };
      const { key } = credential;
      const id = newId('userAction');
      const now = new Date();
      const commitment = {
        ...{ orgId, userId, method, path, bodySha256: '', approvalDigest, anchor: null, credentialIds: [key.credId] },
        dateExpires: new Date(now.getTime() + USER_ACTION_MS),
      };
      const nonce = randomBytes(NONCE_BYTES);
      const challenge = challengeOf(nonce, commitment);
      const { credentialAssertion } = key.assert(challenge) as { credentialAssertion: { clientData: string; signature: string } };
      await db.withOrg(orgId, (tx) =>
        tx.insert(UserActionEntity, {
          ...commitment,
          ...{ id, tokenId, challenge, nonce: nonce.toString('base64url'), dateSigned: now },
          ...{ credentialUuid: credential.id, publicKey: key.publicKeyPem, firstFactorKind: 'Key' },
          clientData: credentialAssertion.clientData,
          signature: credentialAssertion.signature,
        }),
      );
      return { caller, action: { id, text: '', consumed: false } };
    },
  };
}
