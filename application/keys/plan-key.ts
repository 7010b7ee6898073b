import type { Caller } from '../../domain/callers';
import { childPath, parseDerivationPath } from '../../domain/derivation-paths';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { findKeyForm, isMasterForm, type KeyForm } from '../../domain/keys';
import type { Tx } from '../../entities/database';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { keyStore } from '../../entities/keys/key.store';
import { keyRecordStore, type NewKey } from '../../entities/keys/key-record.store';
import { newId } from '../../platform/ids';
import { KEY_STORE_PROVIDERS, type KeyStoreProvider } from '../key-stores/providers';
import { storeForNewKey } from '../key-stores/store-for-new-key';
import { badField } from '../request-faults';
import { assertEndUser } from '../users/end-users';
import { assertVisibleKey } from '../wallets/wallets';
import { assertUsableKey } from './key-use';

export type NewKeyRequest = KeyForm & {
  readonly name?: string | undefined;
  readonly masterKey?: boolean | undefined;
  readonly deriveFrom?: { readonly keyId: string; readonly path?: string | undefined } | undefined;
  readonly storeId?: string | undefined;
  readonly delegateTo?: string | undefined;
  readonly delayDelegation?: boolean | undefined;
};

export type PlannedKey = { readonly key: NewKey; readonly takeKey: KeyStoreProvider['takeKey'] };

type Owner = Pick<Caller, 'kind' | 'userId'>;

/**
 * Checks the request, and returns the new key. Locks the master key of a derived key until the transaction ends, so that two
 * concurrent requests never get the same path. Errors identify a member by its path. `below` is the beginning of this path:
 * `signingKey.` in a request for a wallet, otherwise empty. Throws `InvalidRequest` with the path of the fault. Throws
 * `NotFound` for a master key that the caller may not see. Throws `WrongState` for a deleted or exported master key. Throws
 * `Conflict` for a derivation path that is already in use.
 */
export async function planKey(
  tx: Tx,
  caller: Owner,
  request: NewKeyRequest,
  below: '' | 'signingKey.' = '',
): Promise<PlannedKey> {
  const { scheme, curve, name, masterKey = false, deriveFrom, storeId, delegateTo, delayDelegation = false } = request;
  if (!findKeyForm(request)) throw badField(`${below}curve`, `cannot be combined with the scheme ${scheme}`);
  if (masterKey && !isMasterForm(request)) throw badField('masterKey', `is not possible for ${scheme} on ${curve}`);
  if (masterKey && deriveFrom) throw badField('masterKey', 'is not possible for a key that is derived itself');
  if (delayDelegation && delegateTo !== undefined) throw badField('delayDelegation', 'is not possible together with delegateTo');
  const master = deriveFrom && (await lockMaster(tx, caller, request, deriveFrom.keyId, below));
  const delegatedTo = ownerOf(caller, request, master);
  if (delegateTo !== undefined) await assertEndUser(tx, delegateTo, 'delegateTo');
  const needs = [
    ...(masterKey ? [{ ability: 'Master', field: 'masterKey' } as const] : []),
    ...(deriveFrom ? [{ ability: 'Derive', field: `${below}deriveFrom` } as const] : []),
    ...(delegatedTo !== null ? [{ ability: 'Delegate', field: `${below}storeId` } as const] : []),
    ...(delayDelegation ? [{ ability: 'Delegate', field: 'delayDelegation' } as const] : []),
  ];
  const store = await storeForNewKey(tx, { form: request, storeId, masterStoreId: master?.storeId, needs }, below);
  const key = {
    id: newId('key'),
    scheme,
    curve,
    delegatedTo,
    isMaster: masterKey,
    derivedFrom: master?.id ?? null,
    derivationPath: master ? await pathOf(tx, master, deriveFrom?.path, below) : null,
    mayBeDelegated: delayDelegation,
    storeId: store.storeId,
    name: name ?? null,
    createdBy: caller.userId,
  };
  return { key, takeKey: KEY_STORE_PROVIDERS[store.kind].takeKey };
}

/** A key that an end user creates belongs to that user. A key derived from an end user's key belongs to the same user. */
function ownerOf(caller: Owner, { delegateTo, delayDelegation }: NewKeyRequest, master: KeyEntity | undefined): string | null {
  const owner = caller.kind === 'EndUser' ? caller.userId : (master?.delegatedTo ?? null);
  if (owner === null) return delegateTo ?? null;
  if (delayDelegation) throw badField('delayDelegation', 'is not possible for a key that is delegated from the start');
  if (delegateTo !== undefined && delegateTo !== owner) throw badField('delegateTo', `must be ${owner}, to whom the key belongs`);
  return owner;
}

async function lockMaster(tx: Tx, caller: Owner, form: KeyForm, keyId: string, below: string): Promise<KeyEntity> {
  const master = isId('key', keyId) ? await keyRecordStore.lock(tx, keyId) : undefined;
  assertVisibleKey(caller, master, keyId);
  if (!master.isMaster) throw badField(`${below}deriveFrom.keyId`, 'must be a master key');
  assertUsableKey(master);
  if (master.curve !== form.curve) throw badField(`${below}curve`, `must be ${master.curve}, like the master key`);
  if (master.scheme !== form.scheme) throw badField(`${below}scheme`, `must be ${master.scheme}, like the master key`);
  return master;
}

async function pathOf(tx: Tx, { id, curve }: KeyEntity, path: string | undefined, below: string): Promise<string> {
  if (path === undefined) return childPath(await keyRecordStore.freeChildIndex(tx, id));
  const levels = parseDerivationPath(path);
  const at = `${below}deriveFrom.path`;
  if (!levels) throw badField(at, "must be a path such as m/44'/60'/0'/0/0 of at most ten levels");
  if (curve === 'ed25519' && levels.some(({ hardened }) => !hardened)) {
    throw badField(at, 'must have an apostrophe after every level on ed25519');
  }
  const taken = await keyRecordStore.childAt(tx, id, path);
  if (taken) throw new AppError('Conflict', 'Conflicting key with same deriveFrom', { duplicate: { id: taken.id } });
  return path;
}

/** Throws `NotFound` for a key that the caller may not see. */
export async function lockKeyOf(tx: Tx, caller: Owner, keyId: string): Promise<KeyEntity> {
  const key = isId('key', keyId) ? await keyRecordStore.lock(tx, keyId) : undefined;
  assertVisibleKey(caller, key, keyId);
  return key;
}

/** Throws `NotFound` for a key that the caller may not see. */
export async function visibleKey(reader: Parameters<typeof keyStore.find>[0], caller: Owner, keyId: string): Promise<KeyEntity> {
  const key = isId('key', keyId) ? await keyStore.find(reader, keyId) : undefined;
  assertVisibleKey(caller, key, keyId);
  return key;
}
