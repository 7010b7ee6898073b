import { codecOf } from '../chains/codecs';
import { findNetwork } from '../chains/networks';
import type { Network } from '../chains/types';
import type { Caller } from '../domain/callers';
import { AppError, invariant } from '../domain/errors';
import type { Tx } from '../entities/database';
import { eventStore } from '../entities/events/event.store';
import { keyStore, type SealedKey, type WrappedDataKey } from '../entities/keys/key.store';
import { type Dispatch, outboxStore } from '../entities/outbox/outbox.store';
import type { WalletEntity } from '../entities/wallets/wallet.entity';
import { type NewWallet, type WalletRecord, walletStore } from '../entities/wallets/wallet.store';
import { digestOf } from '../platform/canonical';
import { newId } from '../platform/ids';
import { CREATE_WALLET } from '../workflows/create-wallet.messages';
import { type Authority, act } from './authority';
import type { Services } from './services';
import { keyView, type WalletView } from './views/wallets';
import { assertVisibleKey, externalIdTaken, viewOf } from './wallets';

export type WalletRequest = {
  readonly network: string;
  readonly name?: string | undefined;
  readonly externalId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly signingKey?:
    | { readonly id?: string | undefined; readonly scheme?: string | undefined; readonly curve?: string | undefined }
    | undefined;
};

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
 * Creates a wallet, with a new key unless the request names one, and answers it once its key is safe (S4). A repeated
 * request with the same external id answers the first wallet, another one throws `Conflict`. Throws `NotReady` when the
 * key takes longer than the limit: the wallet appears by itself, and a repeated request goes on waiting for it.
 */
export async function createWallet(services: Services, authority: Authority, request: WalletRequest): Promise<WalletView> {
  const network = enabledNetwork(services, request);
  const wallet = await act(services.db, authority, (tx) => insertWallet(tx, authority.caller, network, request));
  return whenReady(services, authority.caller.orgId, wallet);
}

/**
 * Creates wallets on keys of their own that belong to this end user from the start, within the transaction that makes the user.
 * Throws `NetworkNotEnabled`, before anything is written.
 */
export async function insertDelegatedWallets(
  services: Services,
  tx: Tx,
  userId: string,
  requests: readonly Pick<WalletRequest, 'network' | 'name'>[],
): Promise<WalletEntity[]> {
  const networks = requests.map((request) => ({ request, network: enabledNetwork(services, request) }));
  const wallets: WalletEntity[] = [];
  for (const { request, network } of networks) {
    wallets.push(await insertWallet(tx, { kind: 'EndUser', userId }, network, request, userId));
  }
  return wallets;
}

/** Waits until the wallet's key is safe. Throws `NotReady` after the limit. */
export async function whenReady(services: Services, orgId: string, wallet: WalletEntity): Promise<WalletView> {
  if (wallet.status === 'Creating') void services.dispatcher.tryNow(orgId, startOf(wallet));
  const ready = await services.changes.waitFor(
    wallet.id,
    () => walletStore.find(services.db.read(orgId), wallet.id),
    (record) => record?.wallet.status !== 'Creating',
    READY_LIMIT_MS,
  );
  invariant(ready, `the wallet ${wallet.id} stays`);
  if (ready.wallet.status === 'Creating') throw notReady(wallet.id);
  return viewOf(ready);
}

const badField = (field: string, message: string) =>
  new AppError('InvalidRequest', `${field} ${message}`, { issues: [{ path: `body.${field}`, message }] });

const notEnabled = (name: string, cause?: unknown) => {
  const message = `${name} is not enabled on this service`;
  return new AppError('NetworkNotEnabled', message, { issues: [{ path: 'body.network', message }] }, cause);
};

const notReady = (walletId: string) =>
  new AppError(
    'NotReady',
    'The key of the wallet is still being created. The wallet appears when it is ready; the same request with an externalId waits for it.',
    { walletId },
  );

/** The record of a network that has a node here and fits the key form asked for. */
function enabledNetwork({ readers }: Services, { network: name, signingKey }: WalletRequest): Network {
  const network = findNetwork(name);
  if (!network) throw notEnabled(name);
  try {
    readers(network.name);
  } catch (error) {
    throw notEnabled(name, error);
  }
  for (const part of ['scheme', 'curve'] as const) {
    const asked = signingKey?.[part];
    if (asked === undefined || asked === network[part]) continue;
    throw badField(`signingKey.${part}`, `must be ${network[part]} on ${name}`);
  }
  return network;
}

async function insertWallet(
  tx: Tx,
  caller: Pick<Caller, 'kind' | 'userId'>,
  network: Network,
  request: WalletRequest,
  delegatedTo: string | null = null,
): Promise<WalletEntity> {
  const tags = [...new Set(request.tags)].sort();
  const { name, externalId, signingKey } = request;
  const requestDigest = digestOf({
    network: network.name,
    tags,
    ...(name === undefined ? {} : { name }),
    ...(signingKey?.id === undefined ? {} : { keyId: signingKey.id }),
    // An end user who guesses an external id must not be answered somebody else's wallet.
    ...(caller.kind === 'EndUser' ? { createdBy: caller.userId } : {}),
  });
  const first = externalId === undefined ? undefined : await walletStore.findByExternalId(tx, externalId);
  if (first) return sameRequest(first, requestDigest);

  const wallet: NewWallet = {
    id: newId('wallet'),
    network: network.name,
    keyId: signingKey?.id ?? newId('key'),
    name: name ?? null,
    externalId: externalId ?? null,
    requestDigest,
    createdBy: caller.userId,
  };
  const inserted =
    signingKey?.id === undefined
      ? await walletStore.insertWithKey(tx, wallet, { scheme: network.scheme, curve: network.curve, delegatedTo })
      : await insertOnKey(tx, caller, network, wallet);
  if (!inserted) {
    const winner = externalId === undefined ? undefined : await walletStore.findByExternalId(tx, externalId);
    if (winner) return sameRequest(winner, requestDigest);
    const occupant = await walletStore.findByKey(tx, wallet.keyId, network.name);
    throw new AppError('Conflict', 'Conflicting wallet with same signingKey and network', { duplicate: { id: occupant?.id } });
  }
  await walletStore.addTags(tx, wallet.id, tags);
  const record = await walletStore.find(tx, wallet.id);
  invariant(record, 'a wallet that was inserted is there');
  if (record.wallet.status === 'Creating') await outboxStore.add(tx, startOf(wallet));
  else await emitCreated(tx, record);
  return record.wallet;
}

/** S3: one key has one wallet per network, which the unique key of the table holds. */
async function insertOnKey(
  tx: Tx,
  caller: Pick<Caller, 'kind' | 'userId'>,
  network: Network,
  wallet: NewWallet,
): Promise<boolean> {
  const key = await keyStore.find(tx, wallet.keyId);
  assertVisibleKey(caller, key, wallet.keyId);
  if (key.status !== 'Active' || !key.publicKey) throw new AppError('WrongState', 'key is not active', { keyId: key.id });
  if (key.curve !== network.curve || key.scheme !== network.scheme) {
    throw badField('signingKey.id', `must be an ${network.scheme} key on ${network.curve} for ${network.name}`);
  }
  return walletStore.insertActive(tx, wallet, codecOf(network.name).addressOf(key.publicKey));
}

function sameRequest(first: WalletEntity, requestDigest: string): WalletEntity {
  if (first.requestDigest === requestDigest) return first;
  throw externalIdTaken(first);
}

/** What the workflow of a wallet is started with once more; undefined when the wallet is finished. Holds the wallet meanwhile. */
export async function restartWallet(tx: Tx, walletId: string): Promise<Dispatch['routing'] | undefined> {
  const record = await walletStore.lock(tx, walletId);
  return record?.wallet.status === 'Creating' ? startOf(record.wallet).routing : undefined;
}

/** Stores the key that the signer made and makes the wallet active, with their events. Harmless the second time. */
export async function activateWallet(
  tx: Tx,
  walletId: string,
  { sealed, dek }: { readonly sealed: SealedKey; readonly dek: WrappedDataKey },
): Promise<void> {
  const record = await walletStore.lock(tx, walletId);
  if (record?.wallet.status !== 'Creating') return;
  invariant(record.key.id === sealed.keyId, 'the key belongs to the wallet');
  await keyStore.activate(tx, sealed, dek);
  await walletStore.activate(tx, walletId, codecOf(record.wallet.network).addressOf(sealed.publicKeyHex));
  const active = await walletStore.find(tx, walletId);
  invariant(active, 'a wallet that was made active is there');
  const { key } = active;
  await eventStore.emit(tx, {
    kind: 'key.created',
    aggregateId: key.id,
    aggregateVersion: key.version,
    data: { key: keyView(key) },
  });
  await emitCreated(tx, active);
}

async function emitCreated(tx: Tx, record: WalletRecord): Promise<void> {
  const { id: aggregateId, version: aggregateVersion } = record.wallet;
  await eventStore.emit(tx, { kind: 'wallet.created', aggregateId, aggregateVersion, data: { wallet: viewOf(record) } });
}
