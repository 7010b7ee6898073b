import type { Caller } from '../../domain/callers';
import { AppError, invariant } from '../../domain/errors';
import { SOFTWARE_STORE_ID } from '../../domain/key-stores';
import type { KeyForm } from '../../domain/keys';
import type { Tx } from '../../entities/database';
import { eventStore } from '../../entities/events/event.store';
import { keyStore, type MadeKey } from '../../entities/keys/key.store';
import type { NewKey } from '../../entities/keys/key-record.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import type { WalletEntity } from '../../entities/wallets/wallet.entity';
import { type NewWallet, type WalletMetadata, type WalletRecord, walletStore } from '../../entities/wallets/wallet.store';
import type { SignedAttestation } from '../../platform/address-attestation';
import { digestOf } from '../../platform/canonical';
import { newId } from '../../platform/ids';
import { CREATE_WALLET } from '../../workflows/create-wallet.messages';
import { recordAmendment } from '../amendments/record-amendment';
import { emitKey } from '../keys/events';
import { askingActionFor, networksOfHolder } from '../keys/holders';
import { assertUsableKey } from '../keys/key-use';
import { lockKeyOf, type NewKeyRequest, type PlannedKey, planKey } from '../keys/plan-key';
import { takeFromStore } from '../keys/take-key';
import { badField } from '../request-faults';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { assertMainnet, assertNoTwin, assertTestNetwork } from './assert-mainnet';
import { keepAttestation } from './attestation';
import { viewOf, type WalletView } from './view';
import { addressOn, type EnabledWalletNetwork, enabledWalletNetwork, inForm } from './wallet-networks';
import { externalIdTaken } from './wallets';

export type WalletRequest = {
  readonly network: string;
  readonly name?: string | undefined;
  readonly externalId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly metadata?: WalletMetadata | undefined;
  readonly signingKey?: SigningKeyRequest | undefined;
  readonly delegateTo?: string | undefined;
  readonly delayDelegation?: boolean | undefined;
};

/** An existing key, or the form of a new key. */
type SigningKeyRequest = { readonly [M in keyof KeyForm]?: KeyForm[M] | undefined } & Pick<
  NewKeyRequest,
  'deriveFrom' | 'storeId'
> & { readonly id?: string | undefined };

const READY_LIMIT_MS = 20_000;

const startOf = (wallet: { readonly id: string; readonly network: string }): Dispatch => ({
  kind: 'start',
  aggregateId: wallet.id,
  dedupeKey: `start:${wallet.id}`,
  routing: {
    workflow: CREATE_WALLET,
    walletId: wallet.id,
    network: wallet.network,
    summary: `Create a wallet on ${wallet.network}`,
  },
});

/**
 * Creates a wallet, with a new key unless the request specifies an existing key. Returns the wallet once the secret of its key
 * is stored safely (S4). A repeated request with the same external id returns the first wallet; a different request with this
 * external id throws `Conflict`. Throws `NotReady` if the key takes longer than the limit. The wallet then appears later, and a
 * repeated request with the external id waits for the wallet.
 */
export async function createWallet(services: Services, authority: Authority, request: WalletRequest): Promise<WalletView> {
  const network = networkFor(services, request);
  const wallet = await act(services.db, authority, (tx, userActionId) =>
    insertWallet(tx, authority.caller, network, request, userActionId),
  );
  return whenReady(services, authority.caller.orgId, wallet);
}

type Registered = { readonly userId: string; readonly userActionId: string | undefined };

/**
 * Inserts wallets whose new keys belong to the end user from the start. Throws `NetworkNotEnabled` before anything is written.
 * Throws the same error for every mainnet, because no signature covers the networks of these wallets. `userActionId` is the
 * signed action that began the registration.
 */
export async function insertDelegatedWallets(
  services: Services,
  tx: Tx,
  { userId, userActionId }: Registered,
  requests: readonly Pick<WalletRequest, 'network' | 'name'>[],
): Promise<WalletEntity[]> {
  const networks = requests.map((request) => ({ request, network: networkFor(services, request) }));
  for (const { network } of networks) assertTestNetwork(network.name);
  const wallets: WalletEntity[] = [];
  for (const { request, network } of networks) {
    wallets.push(await insertWallet(tx, { kind: 'EndUser', userId }, network, request, userActionId));
  }
  return wallets;
}

/** Returns the view of the wallet once the wallet is complete. Throws `NotReady` at the time limit. */
export async function whenReady(services: Services, orgId: string, wallet: WalletEntity): Promise<WalletView> {
  if (wallet.status === 'Creating') void services.dispatcher.tryNow(orgId, startOf(wallet));
  const ready = await services.changes.waitFor(
    wallet.id,
    () => walletStore.find(services.db.read(orgId), wallet.id),
    (record) => record?.wallet.status !== 'Creating',
    READY_LIMIT_MS,
  );
  invariant(ready, `the wallet ${wallet.id} is never deleted`);
  if (ready.wallet.status === 'Creating') throw notReady(wallet.id);
  return viewOf(ready);
}

const notReady = (walletId: string) =>
  new AppError(
    'NotReady',
    'The key of the wallet is still being created. The wallet appears when it is ready; the same request with an externalId waits for it.',
    { walletId },
  );

/** Throws `NetworkNotEnabled`, and `InvalidRequest` if the network does not fit the requested form of key. */
function networkFor(services: Services, { network: name, signingKey }: WalletRequest): EnabledWalletNetwork {
  return inForm(enabledWalletNetwork(services, name), formOf(signingKey), 'signingKey.');
}

const formOf = (key: SigningKeyRequest | undefined): Partial<KeyForm> => ({
  ...(key?.scheme === undefined ? {} : { scheme: key.scheme }),
  ...(key?.curve === undefined ? {} : { curve: key.curve }),
});

async function insertWallet(
  tx: Tx,
  caller: Pick<Caller, 'kind' | 'userId'>,
  network: EnabledWalletNetwork,
  request: WalletRequest,
  /** Undefined only for a registration that an earlier release began. */
  userActionId: string | undefined,
): Promise<WalletEntity> {
  const tags = [...new Set(request.tags)].sort();
  const { name, externalId, signingKey } = request;
  const requestDigest = digestOfRequest(caller, network, request, tags);
  const first = externalId === undefined ? undefined : await walletStore.findByExternalId(tx, externalId);
  if (first) return sameRequest(first, requestDigest);

  const planned = signingKey?.id === undefined ? await newKeyFor(tx, caller, network, request, userActionId) : undefined;
  const key = planned?.key;
  if (key) await assertMainnet(tx, network.name, key);
  const wallet: NewWallet = {
    id: newId('wallet'),
    network: network.name,
    keyId: key?.id ?? signingKey?.id ?? '',
    name: name ?? null,
    externalId: externalId ?? null,
    requestDigest,
    createdBy: caller.userId,
    amendingActionId: (await isFollowed(tx, key, signingKey?.id)) ? (userActionId ?? null) : null,
  };
  const inserted = key
    ? await walletStore.insertWithKey(tx, wallet, key)
    : await insertOnKey(tx, caller, network, wallet, request);
  if (!inserted) {
    const winner = externalId === undefined ? undefined : await walletStore.findByExternalId(tx, externalId);
    if (winner) return sameRequest(winner, requestDigest);
    const occupant = await walletStore.findByKey(tx, wallet.keyId, network.name);
    throw new AppError('Conflict', 'Conflicting wallet with same signingKey and network', { duplicate: { id: occupant?.id } });
  }
  // After the insert, because a second request with the same external id returns above, and must not use up a key.
  if (planned) await takeFromStore(tx, planned);
  await walletStore.addTags(tx, wallet.id, tags);
  await walletStore.addMetadata(tx, wallet.id, request.metadata ?? {});
  const record = await walletStore.find(tx, wallet.id);
  invariant(record, 'a wallet that was inserted exists');
  if (record.wallet.status === 'Creating') {
    await outboxStore.add(tx, startOf(wallet));
    return record.wallet;
  }
  await emitCreated(tx, record);
  // This call comes last, because the amendments stay locked until the transaction ends.
  await followedByCharter(tx, record.wallet);
  return record.wallet;
}

/**
 * The new key of the wallet. If an end user will hold the key at the signer, the key contains the id of the signed action that
 * requests the key.
 */
async function newKeyFor(
  tx: Tx,
  caller: Pick<Caller, 'kind' | 'userId'>,
  network: EnabledWalletNetwork,
  request: WalletRequest,
  userActionId: string | undefined,
): Promise<PlannedKey> {
  const planned = await planKey(tx, caller, keyRequestOf(network, request), 'signingKey.');
  return { ...planned, key: { ...planned.key, askingActionId: await askingActionFor(tx, planned.key, userActionId) } };
}

/** Whether the signer has to learn about the wallet: a new wallet of the organisation, or any wallet of a key with a holder. */
async function isFollowed(tx: Tx, created: NewKey | undefined, existingId: string | undefined): Promise<boolean> {
  if (created && isOfOrganization(created)) return true;
  const key = created ?? (existingId === undefined ? undefined : await keyStore.find(tx, existingId));
  return key !== undefined && (await networksOfHolder(tx, key)) !== undefined;
}

/** A charter adopts a new wallet only if its new key is random, is not a master key, and can never belong to an end user. */
const isOfOrganization = ({ derivedFrom, delegatedTo, mayBeDelegated, isMaster }: NewKey): boolean =>
  derivedFrom === null && delegatedTo === null && !mayBeDelegated && !isMaster;

const keyRequestOf = (
  { form }: EnabledWalletNetwork,
  { signingKey, delegateTo, delayDelegation }: WalletRequest,
): NewKeyRequest => ({
  ...form,
  deriveFrom: signingKey?.deriveFrom,
  storeId: signingKey?.storeId,
  delegateTo,
  delayDelegation,
});

/**
 * The digest omits the members that the request omits. A later release may have more members, and must still recognise a
 * repeated request.
 */
function digestOfRequest(
  caller: Pick<Caller, 'kind' | 'userId'>,
  network: EnabledWalletNetwork,
  { name, signingKey, delegateTo, delayDelegation, metadata = {} }: WalletRequest,
  tags: readonly string[],
): string {
  const { id, deriveFrom, storeId } = signingKey ?? {};
  return digestOf({
    network: network.name,
    tags,
    ...(name === undefined ? {} : { name }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
    ...(network.otherForms?.includes(network.form) ? { scheme: network.form.scheme } : {}),
    ...(id === undefined ? {} : { keyId: id }),
    ...(deriveFrom === undefined ? {} : { masterKeyId: deriveFrom.keyId }),
    ...(deriveFrom?.path === undefined ? {} : { path: deriveFrom.path }),
    ...(delegateTo === undefined ? {} : { delegateTo }),
    ...(delayDelegation ? { delayDelegation } : {}),
    // Digests of earlier releases never contain the store, which was always the software store.
    ...(storeId === undefined || storeId === SOFTWARE_STORE_ID ? {} : { storeId }),
    // An end user who guesses an external id must not get another user's wallet.
    ...(caller.kind === 'EndUser' ? { createdBy: caller.userId } : {}),
  });
}

/**
 * Returns false if a unique constraint refuses the wallet: the external id is taken, or the key already has a wallet on this
 * network (S3).
 */
async function insertOnKey(
  tx: Tx,
  caller: Pick<Caller, 'kind' | 'userId'>,
  { name, form, otherForms = [] }: EnabledWalletNetwork,
  wallet: NewWallet,
  request: WalletRequest,
): Promise<boolean> {
  const members = [
    ['signingKey.deriveFrom', request.signingKey?.deriveFrom],
    ['signingKey.storeId', request.signingKey?.storeId],
    ['delegateTo', request.delegateTo],
    ['delayDelegation', request.delayDelegation || undefined],
  ] as const;
  for (const [field, value] of members) {
    if (value !== undefined) throw badField(field, 'is not possible for an existing key');
  }
  const key = await lockKeyOf(tx, caller, wallet.keyId);
  assertUsableKey(key);
  const forms = request.signingKey?.scheme === undefined ? [form, ...otherForms] : [form];
  if (!forms.some(({ scheme, curve }) => key.curve === curve && key.scheme === scheme)) {
    throw badField('signingKey.id', `must be an ${form.scheme} key on ${form.curve} for ${name}`);
  }
  await assertMainnet(tx, name, key);
  await assertNoTwin(tx, name, key.id);
  invariant(key.publicKey, 'an active key has a public key');
  return walletStore.insertActive(tx, wallet, addressOn(name, key.publicKey));
}

function sameRequest(first: WalletEntity, requestDigest: string): WalletEntity {
  if (first.requestDigest === requestDigest) return first;
  throw externalIdTaken(first);
}

/** Locks the wallet. Returns undefined for a complete wallet, and for a wallet that does not exist. */
export async function restartWallet(tx: Tx, walletId: string): Promise<Dispatch['routing'] | undefined> {
  const record = await walletStore.lock(tx, walletId);
  return record?.wallet.status === 'Creating' ? startOf(record.wallet).routing : undefined;
}

/** Has no effect on a wallet that is already complete. */
export async function activateWallet(
  tx: Tx,
  walletId: string,
  { attested, ...made }: MadeKey & { readonly attested: SignedAttestation | undefined },
): Promise<void> {
  const record = await walletStore.lock(tx, walletId);
  if (record?.wallet.status !== 'Creating') return;
  invariant(record.key.id === made.keyId, 'the key belongs to the wallet');
  await keyStore.activate(tx, made);
  await walletStore.activate(tx, walletId, addressOn(record.wallet.network, made.publicKeyHex));
  const active = await walletStore.find(tx, walletId);
  invariant(active, 'a wallet that was made active exists');
  if (attested) await keepAttestation(tx, active.wallet, attested);
  await emitKey(tx, 'key.created', made.keyId);
  await emitCreated(tx, active);
  // Records no amendment for a key with a holder, because the signer has already received the wallet of such a key.
  if (active.key.delegatedTo === null) await followedByCharter(tx, active.wallet);
}

async function followedByCharter(tx: Tx, wallet: WalletEntity): Promise<void> {
  const { id: walletId, keyId, address, amendingActionId: userActionId } = wallet;
  if (userActionId === null || address === null) return;
  await recordAmendment(tx, { kind: 'createWallet', userActionId, given: { walletId, keyId } });
}

export async function emitCreated(tx: Tx, record: WalletRecord): Promise<void> {
  const { id: aggregateId, version: aggregateVersion } = record.wallet;
  await eventStore.emit(tx, { kind: 'wallet.created', aggregateId, aggregateVersion, data: { wallet: viewOf(record) } });
}
