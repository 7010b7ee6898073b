import { networkOf } from '../../chains/networks';
import type { Caller } from '../../domain/callers';
import { AppError } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { JUDGED_HERE } from '../../domain/judgements';
import type { NetworkName } from '../../domain/networks';
import { callsOn, SIGNATURE_ANSWERABLE } from '../../domain/signatures';
import { charterStore } from '../../entities/charters/charter.store';
import type { Reader } from '../../entities/database';
import type { KeyEntity } from '../../entities/keys/key.entity';
import { keyStore } from '../../entities/keys/key.store';
import { organizationStore } from '../../entities/organizations/organization.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import { SignatureEntity } from '../../entities/signatures/signature.entity';
import { type SignaturesOf, signatureStore } from '../../entities/signatures/signature.store';
import type { WalletEntity } from '../../entities/wallets/wallet.entity';
import { digestOf } from '../../platform/canonical';
import { newId } from '../../platform/ids';
import { SIGNATURE } from '../../workflows/signature.messages';
import { answerOrDevice } from '../fleets/answer-or-device';
import { assertNotFrozen, reachOfKey } from '../freezes/active-freezes';
import { assertMaySign } from '../keys/key-use';
import { assertSignerDoes, switchFor } from '../keys/signer-switches';
import { signsFor } from '../networks/enabled-networks';
import { badField } from '../request-faults';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { assertVisibleKey, walletOf } from '../wallets/wallets';
import { emitSignature } from './events';
import { assertFillable } from './evm/prepare-transaction';
import { namedNetwork, type Prepared, preparePayload, type SignatureBody } from './payloads';
import { assertLivesOn } from './solana';

export const SIGNATURE_ANSWER_LIMIT_MS = 15_000;

export const againRouting: Dispatch['routing'] = { workflow: SIGNATURE, summary: 'Signature request, started again' };

type Signing = { readonly key: KeyEntity; readonly wallet: WalletEntity | undefined };

/**
 * Throws `NotFound` for a wallet or key that the caller does not see. Throws `Forbidden` or `WrongState` for a key that does
 * not sign for this caller.
 */
async function signingKey(reader: Reader, caller: Caller, of: SignaturesOf): Promise<Signing> {
  if ('walletId' in of) {
    const { wallet, key } = await walletOf(reader, caller, of.walletId);
    assertMaySign(caller, key);
    if (wallet.status !== 'Active') throw new AppError('WrongState', 'wallet is not active', { walletId: wallet.id });
    return { key, wallet };
  }
  const key = await visibleKey(reader, caller, of.keyId);
  assertMaySign(caller, key);
  return { key, wallet: undefined };
}

async function visibleKey(reader: Reader, caller: Caller, keyId: string): Promise<KeyEntity> {
  const key = isId('key', keyId) ? await keyStore.find(reader, keyId) : undefined;
  assertVisibleKey(caller, key, keyId);
  return key;
}

/** A wallet signs only for its own network. */
function assertSameNetwork(wallet: WalletEntity | undefined, { network }: SignatureBody): void {
  if (!wallet || network === undefined || network === wallet.network) return;
  throw badField('network', `must be ${wallet.network}, the network of the wallet`);
}

/** Throws for an order that the signer currently refuses, and for a transaction that its network would refuse. */
async function assertCarriedOut(
  services: Services,
  reader: Reader,
  key: KeyEntity,
  body: SignatureBody,
  prepared: Prepared,
): Promise<void> {
  const needed = switchFor(key, prepared.payload);
  if (needed !== undefined) await assertSignerDoes(reader, needed, needed === 'ChainlessTypedData' ? 'domain.chainId' : 'kind');
  if (body.kind !== 'Transaction') return;
  await assertLivesOn(services, prepared, body.transaction);
  await assertFillable(services, reader, prepared);
}

const startOf = (id: string, { key, wallet }: Signing, network: string | undefined, kind: string): Dispatch => ({
  kind: 'start',
  aggregateId: id,
  dedupeKey: `start:${id}`,
  routing: {
    workflow: SIGNATURE,
    ...(wallet ? { walletId: wallet.id } : {}),
    ...(network === undefined ? {} : { network }),
    summary: `${kind} signed with key ${key.id}`,
    ...JUDGED_HERE,
  },
});

/**
 * Returns once the request is held, signed or ended, or at the time limit. If an earlier request has the same `externalId`,
 * returns the earlier request if the content is the same, and throws `Conflict` if the content differs. Throws `InvalidRequest`
 * if the organisation requires an `externalId` and the request has none. Throws `TargetFrozen` while a freeze stops the request.
 */
export async function requestSignature(
  services: Services,
  authority: Authority,
  of: SignaturesOf,
  body: SignatureBody,
): Promise<SignatureEntity> {
  const { caller } = authority;
  const { orgId } = caller;
  const reader = services.db.read(orgId);
  const [{ key, wallet }, { externalIdRequired }, mainnets] = await Promise.all([
    signingKey(reader, caller, of),
    organizationStore.settings(reader, orgId),
    charterStore.mainnets(reader),
  ]);
  if (externalIdRequired && body.externalId === undefined)
    throw badField('externalId', 'is required by the settings of this organisation');
  assertSameNetwork(wallet, body);
  const network = wallet?.network ?? body.network;
  // The response to a repeated request comes from its row, even if its network is no longer enabled.
  const isAgain = body.externalId !== undefined && (await signatureStore.findByExternalId(reader, body.externalId)) !== undefined;
  const mayBeFor = (name: NetworkName) =>
    isAgain || (signsFor(services, name) && (!networkOf(name).isMainnet || mainnets.has(name)));
  const record = namedNetwork({ ...body, ...(network === undefined ? {} : { network }) }, key, mayBeFor);
  const prepared = preparePayload(key, body, record, mayBeFor);
  const { payload, claim } = prepared;
  if (!isAgain) await assertCarriedOut(services, reader, key, body, prepared);
  await assertNotFrozen(reader, await reachOfKey(reader, key, claim?.network ?? callsOn(payload)));

  const requestBody = JSON.parse(JSON.stringify(body)) as Record<string, string>;
  const requestDigest = digestOf({ ...of, body: requestBody });
  const id = newId('signature');
  const start = startOf(id, { key, wallet }, network, body.kind);
  const requested = await act(services.db, authority, async (tx, userActionId) => {
    const fresh = await tx.insertOnce(SignatureEntity, {
      orgId,
      id,
      keyId: key.id,
      walletId: wallet?.id ?? null,
      network: network ?? null,
      kind: body.kind,
      requesterUserId: caller.userId,
      requesterTokenId: caller.tokenId,
      userActionId,
      requestBody,
      requestDigest,
      externalId: body.externalId ?? null,
      payload,
      ...(payload.kind === 'OpenEvmTransaction' ? { details: { feeCeiling: payload.feeCeilingUnits } } : {}),
      claimNetwork: claim?.network ?? null,
      fromAddress: claim?.address ?? null,
      nonce: claim?.nonce ?? null,
      nativeUnits: claim?.nativeUnits ?? null,
      contract: claim?.contract ?? null,
      tokenUnits: claim?.tokenUnits ?? null,
      state: 'Requested',
    });
    if (!fresh) return firstOf(await signatureStore.findByExternalId(tx, body.externalId ?? ''), requestDigest);
    const row = await signatureStore.lock(tx, id);
    await emitSignature(tx, row);
    await outboxStore.add(tx, start);
    return row;
  });
  if (requested.id === id) void services.dispatcher.tryNow(orgId, start);

  const read = async () => (await signatureStore.find(services.db.read(orgId), requested.id)) ?? requested;
  const isAnswerable = ({ state }: SignatureEntity) => SIGNATURE_ANSWERABLE.includes(state);
  return answerOrDevice(services, { orgId, id: requested.id }, read, { isAnswerable, limitMs: SIGNATURE_ANSWER_LIMIT_MS });
}

function firstOf(first: SignatureEntity | undefined, requestDigest: string): SignatureEntity {
  if (first?.requestDigest === requestDigest) return first;
  throw new AppError('Conflict', 'Conflicting signature with same externalId', {
    ...(first ? { duplicate: { id: first.id, externalId: first.externalId } } : {}),
  });
}

/** Throws `NotFound` if the caller does not see the key or wallet. */
export async function listedKeyId(reader: Reader, caller: Caller, of: SignaturesOf): Promise<string> {
  if ('keyId' in of) return (await visibleKey(reader, caller, of.keyId)).id;
  return (await walletOf(reader, caller, of.walletId)).key.id;
}

/** Throws `NotFound` also for a request that belongs to a different key, wallet or organisation. */
export async function getSignature(
  reader: Reader,
  caller: Caller,
  of: SignaturesOf,
  signatureId: string,
): Promise<SignatureEntity> {
  await listedKeyId(reader, caller, of);
  const row = isId('signature', signatureId) ? await signatureStore.find(reader, signatureId) : undefined;
  const isTheirs = row && ('keyId' in of ? row.keyId === of.keyId : row.walletId === of.walletId);
  if (!isTheirs) throw new AppError('NotFound', 'signature not found', { ...of, signatureId });
  return row;
}
