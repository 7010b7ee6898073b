import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { codecOf } from '../../chains/codecs';
import { networkOf } from '../../chains/networks';
import type { NetworkName } from '../../domain/networks';
import type { Database, Tx } from '../../entities/database';
import { DataKeyEntity } from '../../entities/keys/data-key.entity';
import { KeyEntity } from '../../entities/keys/key.entity';
import { walletStore } from '../../entities/wallets/wallet.store';
import { newId } from '../../platform/ids';

export type ScannedWallet = { readonly orgId: string; readonly walletId: string; readonly address: string };

export type NewKeyPair = { readonly publicKey: string; readonly address: string };

const CURVES = { secp256k1, ed25519 } as const;

export function newKeyPair(network: NetworkName): NewKeyPair {
  const curve = CURVES[networkOf(network).curve];
  const publicKey = bytesToHex(curve.getPublicKey(curve.utils.randomSecretKey()));
  return { publicKey, address: codecOf(network).addressOf(publicKey) };
}

/** Makes an active wallet with the rows that its creation leaves. */
export async function insertWallet(tx: Tx, network: NetworkName, { publicKey, address }: NewKeyPair): Promise<ScannedWallet> {
  const { orgId } = tx;
  const [keyId, dataKeyId, walletId] = [newId('key'), newId('dataKey'), newId('wallet')];
  await tx.insert(DataKeyEntity, { orgId, id: dataKeyId, kekId: 'kek', state: 'Active', wrapped: 'aa', commitment: 'bb' });
  const { scheme, curve } = networkOf(network);
  const kind = { scheme, curve, status: 'Active' } as const;
  await tx.insert(KeyEntity, { orgId, id: keyId, ...kind, publicKey, dataKeyId, sealed: 'cc' });
  const named = { name: null, externalId: null, requestDigest: 'dd', createdBy: 'us-1', amendingActionId: null };
  await walletStore.insertActive(tx, { id: walletId, network, keyId, ...named }, address);
  return { orgId, walletId, address };
}

export const createScannedWallet = (db: Database, orgId: string, network: NetworkName): Promise<ScannedWallet> =>
  db.withOrg(orgId, (tx) => insertWallet(tx, network, newKeyPair(network)));
