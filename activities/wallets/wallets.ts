import { activateWallet } from '../../application/wallets/create-wallet';
import { AppError, invariant } from '../../domain/errors';
import { isKeyNetwork } from '../../domain/networks';
import type { Database } from '../../entities/database';
import type { WalletEntity } from '../../entities/wallets/wallet.entity';
import { walletStore } from '../../entities/wallets/wallet.store';
import type { SignedAttestation } from '../../platform/address-attestation';
import type { SignerClient } from '../../signer/protocol';
import { keyMadeBySigner } from '../keys/made-keys';

type Dependencies = { readonly db: Database; readonly signer: Pick<SignerClient, 'createKey' | 'attestAddress'> };

export function createWalletActivities({ db, signer }: Dependencies) {
  return {
    /** The signer returns the same key for the same key id, so a crash before the commit creates no second key. */
    async createWalletKey({ orgId, walletId }: { readonly orgId: string; readonly walletId: string }): Promise<void> {
      const reader = db.read(orgId);
      const record = await walletStore.find(reader, walletId);
      invariant(record, `the wallet ${walletId} exists before its workflow starts`);
      if (record.wallet.status !== 'Creating') return;
      const created = await keyMadeBySigner(reader, signer, record.key);
      const attested = await attestedBy(signer, record.wallet);
      await db.withOrg(orgId, (tx) => activateWallet(tx, walletId, { ...created, attested }));
    },
  };
}

/** Undefined for a wallet without an address, and if the signer refuses; a housekeeping duty then asks the signer again. */
async function attestedBy(
  signer: Pick<SignerClient, 'attestAddress'>,
  { orgId, keyId, network }: WalletEntity,
): Promise<SignedAttestation | undefined> {
  if (isKeyNetwork(network)) return undefined;
  try {
    return await signer.attestAddress({ orgId, keyId, network });
  } catch (error) {
    if (error instanceof AppError && error.code === 'SignerRefused') return undefined;
    throw error;
  }
}

export type WalletActivities = ReturnType<typeof createWalletActivities>;
