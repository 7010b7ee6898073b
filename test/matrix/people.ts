import { randomBytes } from 'node:crypto';
import { issueToken } from '../../application/access-tokens/tokens';
import type { CallerKind } from '../../domain/callers';
import { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import { sha256Hex } from '../../platform/digests';
import { newId } from '../../platform/ids';
import type { Person, TestApi } from '../support/api';

const MINUTE_MS = 60_000;

export type Request = { readonly method: string; readonly path: string; readonly text: string };

/** A person of this kind, with these operations or with all operations. */
export function personOf(api: TestApi, orgId: string, kind: CallerKind, operations?: readonly string[]): Promise<Person> {
  return api.createPerson(orgId, {
    kind: kind === 'EndUser' ? 'EndUser' : 'CustomerEmployee',
    isServiceAccount: kind === 'ServiceAccount',
    ...(operations === undefined ? {} : { operations }),
  });
}

/** Creates a personal access token with all the rights of the person. */
export async function personalTokenOf({ database, tokens }: TestApi, person: Person): Promise<string> {
  const { token } = await database.db.withOrg(person.orgId, (tx) =>
    issueToken(tx, tokens, { userId: person.userId, kind: 'Pat', name: randomBytes(8).toString('hex'), lifetimeMs: MINUTE_MS }),
  );
  return token;
}

/** Creates a signed user action for exactly this request. With `used`, the user action has already been used. */
export async function userActionFor(
  { database, tokens }: TestApi,
  { orgId, userId, tokenId }: Person,
  { method, path, text }: Request,
  used = false,
): Promise<string> {
  const id = newId('userAction');
  const now = new Date();
  const dateExpires = new Date(now.getTime() + MINUTE_MS);
  const row = {
    orgId,
    id,
    userId,
    tokenId,
    method,
    path,
    bodySha256: sha256Hex(text),
    credentialIds: [],
    nonce: '',
    challenge: '',
  };
  await database.db.withOrg(orgId, (tx) =>
    tx.insert(UserActionEntity, { ...row, dateExpires, dateSigned: now, ...(used ? { dateConsumed: now } : {}) }),
  );
  return tokens.sign('userAction', { id, userId, orgId }, dateExpires);
}
