import { invariant } from '../../domain/errors';
import type { ImportQuestion, KeyRequestAnswer } from '../../domain/key-requests';
import { SOFTWARE_STORE_ID } from '../../domain/key-stores';
import { changeRequestStore } from '../../entities/change-requests/change-request.store';
import type { Tx } from '../../entities/database';
import type { SealedKey, WrappedDataKey } from '../../entities/keys/key.store';
import { keyRecordStore } from '../../entities/keys/key-record.store';
import type { KeyRequestEntity } from '../../entities/keys/key-request.entity';
import { keyRequestStore } from '../../entities/keys/key-request.store';
import { walletStore } from '../../entities/wallets/wallet.store';
import type { SecretBox } from '../../platform/secret-box';
import { emitCreated } from '../wallets/create-wallet';
import { addressOn } from '../wallets/wallet-networks';
import { sealAnswer } from './ask-signer';
import { emitKey, emitWalletsOfKey } from './events';

type Made = { readonly sealed: SealedKey; readonly dek: WrappedDataKey };

/** Has no effect on a request that has ended. */
export async function endWithAnswer(tx: Tx, box: SecretBox, id: string, answer: KeyRequestAnswer): Promise<void> {
  await keyRequestStore.end(tx, id, { status: 'Done', sealedAnswer: sealAnswer(box, id, answer), refusal: null });
}

/**
 * `refusal` is the name of the reason; the id of a record may follow the name. Nothing was exported or imported, so the
 * requester can use the grant again.
 */
export async function endWithRefusal(tx: Tx, id: string, refusal: string): Promise<void> {
  await changeRequestStore.giveBack(tx, id);
  await keyRequestStore.end(tx, id, { status: 'Refused', sealedAnswer: null, refusal });
}

/** Stores the imported key and the requested wallet. Returns the reason if the key or the wallet is refused. */
export async function storeImported(
  tx: Tx,
  { keyId, userId }: KeyRequestEntity,
  question: ImportQuestion,
  { sealed, dek }: Made,
): Promise<string | undefined> {
  const { form, name, isMaster, delegatedTo, wallet } = question;
  const key = {
    id: keyId,
    ...form,
    name,
    isMaster,
    delegatedTo,
    derivedFrom: null,
    derivationPath: null,
    mayBeDelegated: false,
    storeId: SOFTWARE_STORE_ID,
    createdBy: userId,
  };
  // This check comes first, so that no key is stored if its wallet cannot be created.
  const isTaken = wallet?.externalId && (await walletStore.findByExternalId(tx, wallet.externalId));
  if (isTaken) return 'ExternalIdTaken';
  if (!(await keyRecordStore.insertImported(tx, key, sealed, dek))) {
    const known = await keyRecordStore.findByPublicKey(tx, { ...form, publicKey: sealed.publicKeyHex });
    return `KeyExists ${known?.id ?? ''}`.trim();
  }
  await emitKey(tx, 'key.created', keyId);
  if (!wallet) return undefined;
  const { metadata = {}, ...members } = wallet;
  const address = addressOn(wallet.network, sealed.publicKeyHex);
  const isInserted = await walletStore.insertActive(
    tx,
    { ...members, keyId, createdBy: userId, amendingActionId: null },
    address,
  );
  invariant(isInserted, 'a new key has no wallet yet');
  await walletStore.addMetadata(tx, wallet.id, metadata);
  const record = await walletStore.find(tx, wallet.id);
  invariant(record, 'a wallet that was inserted exists');
  await emitCreated(tx, record);
  return undefined;
}

/**
 * Marks the key as exported, together with every key with the same public key and every key derived from these keys. The holder
 * of a master key can derive its child keys. A key that was exported earlier keeps the date of its first export.
 */
export async function markExported(tx: Tx, keyId: string): Promise<void> {
  const key = await keyRecordStore.lock(tx, keyId);
  const kin = await keyRecordStore.lockKin(tx, keyId);
  const dateExported = await tx.clock();
  for (const one of [...(key ? [key] : []), ...kin]) {
    if (one.dateExported !== null || one.status === 'Creating') continue;
    await keyRecordStore.change(tx, one.id, { dateExported });
    await emitKey(tx, 'key.exported', one.id);
    await emitWalletsOfKey(tx, 'wallet.exported', one.id);
  }
}
