import { NONCE_MAKERS_MAX } from '../../../domain/nonce-accounts';
import { nonceMakerStore } from '../../../entities/outgoing/nonce-maker.store';
import { walletStore } from '../../../entities/wallets/wallet.store';
import { storeKindOf } from '../../keys/store-kind';
import { badField } from '../../request-faults';
import type { Services } from '../../services';
import type { UsableWallet } from '../../wallets/wallets';

/**
 * A wallet creates nonce accounts for another wallet only if the other wallet cannot: its key lies in an offline store, and the
 * creation needs a signature within minutes. Throws `InvalidRequest` for every other authority.
 */
export async function assertAuthority(services: Services, { orgId, network, address }: UsableWallet, authority: string) {
  const reader = services.db.read(orgId);
  const [found, makers] = await Promise.all([
    walletStore.findByAddress(reader, network, authority),
    nonceMakerStore.of(reader, { network, address: authority }),
  ]);
  if (found?.wallet.status !== 'Active' || storeKindOf(found.key) !== 'OfflineSigner')
    throw badField('nonceAuthority', `must be the wallet, or an active wallet on ${network} whose key lies in an offline store`);
  if (makers.length >= NONCE_MAKERS_MAX && !makers.includes(address))
    throw badField(
      'nonceAuthority',
      `already has nonce accounts from ${NONCE_MAKERS_MAX} wallets: use one of ${makers.join(', ')}`,
    );
}
