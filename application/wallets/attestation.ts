import type { Caller } from '../../domain/callers';
import { AppError, invariant } from '../../domain/errors';
import type { Reader, Tx } from '../../entities/database';
import type { WalletEntity } from '../../entities/wallets/wallet.entity';
import { walletStore } from '../../entities/wallets/wallet.store';
import { readAttestation, type SignedAttestation } from '../../platform/address-attestation';
import { walletOf } from './wallets';

export type AttestationView = SignedAttestation & { readonly walletId: string };

/**
 * Throws `NotFound` in the same cases as `walletOf`, and for a wallet without an address. Throws `NotReady` while the signer has
 * not attested the address.
 */
export async function attestationOf(reader: Reader, caller: Caller, walletId: string): Promise<AttestationView> {
  const { wallet } = await walletOf(reader, caller, walletId);
  if (wallet.address === null) throw new AppError('NotFound', 'a wallet that only signs has no address', { walletId });
  const found = await walletStore.attestation(reader, walletId);
  if (found) return { walletId, attestation: found.attestation, signature: found.signature };
  throw new AppError('NotReady', 'The signer has not attested the address yet; it does so within some minutes.', { walletId });
}

/**
 * The signer computes the address with its own code. If the signer's address differs, a row in the database was altered, or the
 * code of the service or the signer is wrong. The address must then not be shown.
 */
export async function keepAttestation(
  tx: Tx,
  { id: walletId, keyId, network, address }: Pick<WalletEntity, 'id' | 'keyId' | 'network' | 'address'>,
  signed: SignedAttestation,
): Promise<void> {
  const said = readAttestation(signed.attestation);
  const isOfWallet = said?.organizationId === tx.orgId && said.keyId === keyId && said.network === network;
  invariant(isOfWallet && said.address === address, `the signer attests the address of the wallet ${walletId}`);
  await walletStore.addAttestation(tx, { walletId, ...signed });
}
