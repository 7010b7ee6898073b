import { activateWallet } from '../../application/wallets/create-wallet';
import { AppError, invariant } from '../../domain/errors';
import { isKeyNetwork } from '../../domain/networks';
import type { Database, Reader } from '../../entities/database';
import type { WalletEntity } from '../../entities/wallets/wallet.entity';
import { type WalletRecord, walletStore } from '../../entities/wallets/wallet.store';
import type { SignedAttestation } from '../../platform/address-attestation';
import type { SignerClient } from '../../signer/protocol';
import { keyMadeBySigner, type Makers } from '../keys/made-keys';
import { evidenceOf } from '../signatures/order-evidence';

type Dependencies = Makers & {
  readonly db: Database;
  readonly signer: Pick<SignerClient, 'createKey' | 'assignFleetKey' | 'amendCharter' | 'attestAddress'>;
};

type Holders = Pick<Dependencies, 'signedBodies'> & { readonly signer: Pick<SignerClient, 'amendCharter'> };

export function createWalletActivities({ db, signer, signedBodies }: Dependencies) {
  return {
    /** The signer returns the same key for the same key id, so a crash before the commit does not create a second key. */
    async createWalletKey({ orgId, walletId }: { readonly orgId: string; readonly walletId: string }): Promise<void> {
      const reader = db.read(orgId);
      const record = await walletStore.find(reader, walletId);
      invariant(record, `the wallet ${walletId} exists before its workflow starts`);
      if (record.wallet.status !== 'Creating') return;
      const created = await keyMadeBySigner(reader, { signer, signedBodies }, record.key);
      await holdWallet(reader, { signer, signedBodies }, record);
      const attested = await attestedBy(signer, record.wallet);
      await db.withOrg(orgId, (tx) => activateWallet(tx, walletId, { ...created, attested }));
    },
  };
}

/** Reports the wallet to the signer if an end user holds its key, so that the end user can pay as soon as the wallet is shown. */
async function holdWallet(reader: Reader, { signer, signedBodies }: Holders, { wallet, key }: WalletRecord): Promise<void> {
  const { orgId, id: walletId, keyId, amendingActionId: userActionId } = wallet;
  if (key.delegatedTo === null || userActionId === null || isKeyNetwork(wallet.network)) return;
  const evidence = await evidenceOf(reader, signedBodies, { userActionId, approvalId: null });
  const amendment = { kind: 'createWallet', walletId, keyId, network: wallet.network } as const;
  await signer.amendCharter({ orgId, amendmentId: walletId, amendment, evidence });
}

/**
 * Undefined for a wallet without an address, and if the signer refuses; a housekeeping duty then repeats the request to the
 * signer.
 */
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
