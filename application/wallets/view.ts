import { invariant } from '../../domain/errors';
import type { KeyEntity } from '../../entities/keys/key.entity';
import type { WalletEntity } from '../../entities/wallets/wallet.entity';
import type { WalletMetadata, WalletRecord } from '../../entities/wallets/wallet.store';
import { addressOn } from './wallet-networks';

export type WalletView = {
  readonly id: string;
  readonly network: WalletEntity['network'];
  readonly address?: string;
  readonly signingKey: {
    readonly id: string;
    readonly scheme: KeyEntity['scheme'];
    readonly curve: KeyEntity['curve'];
    readonly publicKey: string;
    readonly delegatedTo?: string;
  };
  readonly status: 'Active' | 'Inactive' | 'Archived';
  readonly dateCreated: string;
  readonly dateDeleted?: string;
  readonly name?: string;
  readonly custodial: boolean;
  readonly externalId?: string;
  readonly tags: string[];
  readonly metadata?: WalletMetadata;
};

/** False if another party has altered the address or the key in the database. */
export const hasAddressOfKey = ({ wallet, key }: { readonly wallet: WalletEntity; readonly key: KeyEntity }): boolean =>
  key.publicKey !== null && wallet.address === addressOn(wallet.network, key.publicKey);

/** An incomplete wallet has no view, because no caller may see a wallet before the secret of its key is stored safely (S4). */
export function viewOf({ wallet, key, tags, metadata }: WalletRecord): WalletView {
  invariant(wallet.status !== 'Creating' && key.publicKey, `the wallet ${wallet.id} is complete`);
  // Money that is sent to an altered address is lost, so the address is not shown.
  invariant(hasAddressOfKey({ wallet, key }), `the address of the wallet ${wallet.id} is that of its key`);
  return {
    id: wallet.id,
    network: wallet.network,
    ...(wallet.address === null ? {} : { address: wallet.address }),
    signingKey: {
      id: key.id,
      scheme: key.scheme,
      curve: key.curve,
      publicKey: key.publicKey,
      ...(key.delegatedTo === null ? {} : { delegatedTo: key.delegatedTo }),
    },
    status: wallet.status,
    dateCreated: wallet.dateCreated.toISOString(),
    ...(wallet.dateDeleted === null ? {} : { dateDeleted: wallet.dateDeleted.toISOString() }),
    ...(wallet.name === null ? {} : { name: wallet.name }),
    custodial: key.delegatedTo === null,
    ...(wallet.externalId === null ? {} : { externalId: wallet.externalId }),
    tags: [...tags].sort(),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}
