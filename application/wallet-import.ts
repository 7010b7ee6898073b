import { invariant } from '../domain/errors';
import { walletStore } from '../entities/wallets/wallet.store';
import { digestOf } from '../platform/canonical';
import { newId } from '../platform/ids';
import type { Authority } from './authority';
import type { Changed } from './change-proposals';
import { askSignerWhenPermitted } from './key-requests';
import { assertSwitchedOn, importOf, importWish, type KeyImport } from './key-shares';
import type { Services } from './services';
import type { WalletView } from './views/wallets';
import { enabledWalletNetwork, inForm } from './wallet-networks';
import { externalIdTaken, viewOf } from './wallets';

type WalletImport = Omit<KeyImport, 'masterKey'> & { readonly network: string; readonly externalId?: string | undefined };

/** As `importKey`, together with the key's first wallet. Throws `Conflict` also for an external id that another wallet has. */
export async function importWallet(
  services: Services,
  authority: Authority,
  request: WalletImport,
): Promise<Changed<WalletView>> {
  const { caller } = authority;
  const network = enabledWalletNetwork(services, request.network);
  const question = importOf({ ...request, name: undefined });
  inForm(network, question.form);
  const { externalId = null, name = null } = request;
  const walletId = newId('wallet');
  const changed = await askSignerWhenPermitted(services, authority, async (tx) => {
    await assertSwitchedOn(tx, 'keyImport');
    const taken = externalId === null ? undefined : await walletStore.findByExternalId(tx, externalId);
    if (taken) throw externalIdTaken(taken);
    const requestDigest = digestOf({ import: walletId });
    const wallet = { id: walletId, network: network.name, name, externalId, requestDigest };
    const delegatedTo = caller.kind === 'EndUser' ? caller.userId : null;
    const wish = delegatedTo === null ? importWish(request, question, network.name) : undefined;
    return { keyId: newId('key'), question: { ...question, delegatedTo, wallet }, wish };
  });
  if (!('value' in changed)) return changed;
  const record = await walletStore.find(services.db.read(caller.orgId), walletId);
  invariant(record, `the imported wallet ${walletId} is there`);
  return { value: viewOf(record) };
}
