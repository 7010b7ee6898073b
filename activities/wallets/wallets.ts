import { activateWallet } from '../../application/wallets/create-wallet';
import { invariant } from '../../domain/errors';
import type { Database } from '../../entities/database';
import { walletStore } from '../../entities/wallets/wallet.store';
import type { SignerClient } from '../../signer/protocol';
import { keyMadeBySigner } from '../keys/made-keys';

type Dependencies = { readonly db: Database; readonly signer: Pick<SignerClient, 'createKey'> };

export function createWalletActivities({ db, signer }: Dependencies) {
  return {
    /** The signer returns the same key for the same key id, so a crash before the commit creates no second key. */
    async createWalletKey({ orgId, walletId }: { readonly orgId: string; readonly walletId: string }): Promise<void> {
      const reader = db.read(orgId);
      const record = await walletStore.find(reader, walletId);
      invariant(record, `the wallet ${walletId} exists before its workflow starts`);
      if (record.wallet.status !== 'Creating') return;
      const created = await keyMadeBySigner(reader, signer, record.key);
      await db.withOrg(orgId, (tx) => activateWallet(tx, walletId, created));
    },
  };
}

export type WalletActivities = ReturnType<typeof createWalletActivities>;
