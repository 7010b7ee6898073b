import { invariant } from '../../domain/errors';
import type { KeyStoreFacts, KeyStoreKind } from '../../domain/key-stores';
import type { KeyEntity } from '../../entities/keys/key.entity';
import type { WalletEntity } from '../../entities/wallets/wallet.entity';

export type KeyView = {
  readonly id: string;
  readonly scheme: KeyEntity['scheme'];
  readonly curve: KeyEntity['curve'];
  readonly publicKey: string;
  readonly masterKey?: true;
  readonly derivedFrom?: { readonly keyId: string; readonly path: string };
  readonly name?: string;
  readonly status: 'Active' | 'Archived';
  readonly custodial: boolean;
  readonly dateCreated: string;
  readonly imported?: true;
  readonly exported?: true;
  readonly dateExported?: string;
  readonly dateDeleted?: string;
};

/** Throws for an incomplete key, because no caller may see a key before its secret is stored safely (S4). */
export function keyView(key: KeyEntity): KeyView {
  invariant(key.status !== 'Creating' && key.publicKey, `the key ${key.id} is complete`);
  return {
    id: key.id,
    scheme: key.scheme,
    curve: key.curve,
    publicKey: key.publicKey,
    ...(key.isMaster ? { masterKey: true } : {}),
    ...derivation(key),
    ...(key.name === null ? {} : { name: key.name }),
    status: key.status,
    custodial: key.delegatedTo === null,
    dateCreated: key.dateCreated.toISOString(),
    ...(key.isImported ? { imported: true } : {}),
    ...(key.dateExported === null ? {} : { exported: true, dateExported: key.dateExported.toISOString() }),
    ...(key.dateDeleted === null ? {} : { dateDeleted: key.dateDeleted.toISOString() }),
  };
}

const derivation = ({ derivedFrom, derivationPath }: KeyEntity) =>
  derivedFrom === null || derivationPath === null ? {} : { derivedFrom: { keyId: derivedFrom, path: derivationPath } };

export type KeyDetails = KeyView & {
  readonly wallets: { readonly id: string; readonly network: WalletEntity['network'] }[];
  readonly store: {
    readonly id: string;
    readonly kind: KeyStoreKind;
    /** The store's name for the key. */
    readonly keyId: string;
    readonly derivationPath?: string;
  };
};

export function keyDetails(
  key: KeyEntity,
  store: Pick<KeyStoreFacts, 'storeId' | 'kind'>,
  wallets: readonly Pick<WalletEntity, 'id' | 'network'>[],
): KeyDetails {
  return {
    ...keyView(key),
    wallets: wallets.map(({ id, network }) => ({ id, network })),
    store: {
      id: store.storeId,
      kind: store.kind,
      keyId: key.id,
      ...(key.derivationPath === null ? {} : { derivationPath: key.derivationPath }),
    },
  };
}
