import { invariant } from '../../domain/errors';
import { type WalletMetadata, walletStore } from '../../entities/wallets/wallet.store';
import { digestOf } from '../../platform/canonical';
import { newId } from '../../platform/ids';
import type { Changed } from '../change-requests/proposals';
import { assertStoreImports } from '../key-stores/assert-store-does';
import { askSignerWhenPermitted } from '../keys/ask-signer';
import { assertSettingOn, importOf, importWish, type KeyImport, signedTextOf } from '../keys/shares';
import type { Services } from '../services';
import type { Authority } from '../user-actions/act';
import { assertMainnet } from './assert-mainnet';
import { viewOf, type WalletView } from './view';
import { enabledWalletNetwork, inForm } from './wallet-networks';
import { externalIdTaken } from './wallets';

type WalletImport = Omit<KeyImport, 'masterKey'> & {
  readonly network: string;
  readonly externalId?: string | undefined;
  readonly metadata?: WalletMetadata | undefined;
};

/** The key has no name, because the name in the request is for the wallet. */
export const keyImportOf = (request: WalletImport): KeyImport => ({ ...request, name: undefined });

/** Throws the errors of `importKey`, `NetworkNotEnabled`, and `Conflict` if another wallet has the external id. */
export async function importWallet(
  services: Services,
  authority: Authority,
  request: WalletImport,
): Promise<Changed<WalletView>> {
  const { caller } = authority;
  const network = enabledWalletNetwork(services, request.network);
  const question = importOf(keyImportOf(request));
  inForm(network, question.form);
  const { externalId = null, name = null, metadata } = request;
  const walletId = newId('wallet');
  const changed = await askSignerWhenPermitted(services, authority, async (tx) => {
    await assertSettingOn(tx, 'keyImport');
    await assertStoreImports(tx);
    const taken = externalId === null ? undefined : await walletStore.findByExternalId(tx, externalId);
    if (taken) throw externalIdTaken(taken);
    const delegatedTo = caller.kind === 'EndUser' ? caller.userId : null;
    await assertMainnet(tx, network.name, { delegatedTo, mayBeDelegated: false, derivedFrom: null });
    const requestDigest = digestOf({ import: walletId });
    const members = metadata === undefined ? {} : { metadata };
    const wallet = { id: walletId, network: network.name, name, externalId, requestDigest, ...members };
    const wish = delegatedTo === null ? importWish(request, question, network.name) : undefined;
    return { keyId: newId('key'), question: { ...question, delegatedTo, wallet, signedText: signedTextOf(authority) }, wish };
  });
  if (!('value' in changed)) return changed;
  const record = await walletStore.find(services.db.read(caller.orgId), walletId);
  invariant(record, `the imported wallet ${walletId} exists`);
  return { value: viewOf(record) };
}
