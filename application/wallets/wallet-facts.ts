import { invariant } from '../../domain/errors';
import type { Tx } from '../../entities/database';
import { KeyEntity } from '../../entities/keys/key.entity';
import { WalletEntity } from '../../entities/wallets/wallet.entity';
import { walletStore } from '../../entities/wallets/wallet.store';
import { WalletTagEntity } from '../../entities/wallets/wallet-tag.entity';
import type { SponsorFacts, Subject, WalletFacts } from '../../policy/types';

/**
 * With `keyId`, the activity signs with that key and is judged for every wallet of the key. `walletId` is then the wallet that
 * the request specified, or null.
 */
export type SigningWith = { readonly walletId: string | null; readonly keyId?: string };

/** Policies protect the organisation's assets. An end user decides alone about the use of their own key. */
export async function subjectOf(tx: Tx, signing: SigningWith, initiatorId: string): Promise<Subject> {
  const [[first, ...otherWallets], { storeId, delegatedTo }] = await Promise.all([walletsOf(tx, signing), keyOf(tx, signing)]);
  return {
    ...(first ?? { walletId: null, walletTags: [] }),
    storeId,
    ...(otherWallets.length === 0 ? {} : { otherWallets }),
    ...(delegatedTo === initiatorId ? { isOwnKey: true } : {}),
  };
}

async function keyOf(tx: Tx, { walletId, keyId }: SigningWith): Promise<KeyEntity> {
  const key =
    keyId === undefined
      ? await tx.row(KeyEntity, 'JOIN wallets w ON w.org_id = t.org_id AND w.key_id = t.id WHERE w.id = $1', [walletId])
      : await tx.row(KeyEntity, 'WHERE t.id = $1', [keyId]);
  invariant(key, 'the wallet of an activity has a key');
  return key;
}

/**
 * Archived wallets are included, because the key still controls their assets. If a key has no wallets, the wallets of the keys
 * from which the key was derived are used.
 */
async function walletsOf(tx: Tx, { walletId, keyId }: SigningWith): Promise<readonly WalletFacts[]> {
  const own = keyId === undefined ? [] : await tx.rows(WalletEntity, 'WHERE t.key_id = $1 ORDER BY t.id', [keyId]);
  const ofKey = own.length > 0 || walletId !== null || keyId === undefined ? own : await walletStore.onParentKeys(tx, keyId);
  const ids = [...new Set([...(walletId === null ? [] : [walletId]), ...ofKey.map(({ id }) => id)])];
  const tags = await tx.rows(WalletTagEntity, 'WHERE t.wallet_id = ANY($1) ORDER BY t.tag', [ids]);
  return ids.map((id) => ({ walletId: id, walletTags: tags.filter((one) => one.walletId === id).map(({ tag }) => tag) }));
}

type Sponsored = SigningWith & { readonly sponsor?: Pick<SponsorFacts, 'walletId' | 'amountUsdMicro'> };

export async function sponsorFactsOf(tx: Tx, { walletId, sponsor }: Sponsored): Promise<SponsorFacts | undefined> {
  if (sponsor === undefined || sponsor.walletId === walletId) return undefined;
  const paying = { walletId: sponsor.walletId };
  const [[wallet], { storeId }] = await Promise.all([walletsOf(tx, paying), keyOf(tx, paying)]);
  return wallet && { ...wallet, storeId, amountUsdMicro: sponsor.amountUsdMicro };
}
