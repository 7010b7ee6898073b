import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { Client } from '../support/client';
import { createRecipient, type KeyExportBody, sealForSigner } from '../support/keys';
import { call } from './calls';

type Named = { readonly id: string };
type Clusters = {
  readonly clusters: readonly { readonly signers: readonly { readonly signerId: string; readonly encryptionKey: string }[] }[];
};
const FORM = { scheme: 'ECDSA', curve: 'secp256k1' } as const;

/** The admin creates, derives, renames, delegates, exports, imports and deletes keys. */
export async function keysStory(admin: Client, orgId: string, endUserId: string): Promise<void> {
  const settings = await admin.change('PUT', '/organizations/settings', { keyImport: true, keyExport: true });
  if (settings.status !== 200) throw new Error(`the settings answered ${settings.status}`);
  await call(admin, 'listKeyStores');
  const { clusters } = await call<Clusters>(admin, 'listSigners');
  const signer = clusters[0]?.signers[0];
  if (!signer) throw new Error('there is no signer');

  const master = await call<Named>(admin, 'createKey', { body: { ...FORM, name: 'Master', masterKey: true } });
  const child = await call<Named>(admin, 'createKey', { body: { ...FORM, deriveFrom: { keyId: master.id, path: "m/44'/60'" } } });
  await call(admin, 'createWallet', { body: { network: 'KeyECDSA', signingKey: { id: child.id } } });
  await call(admin, 'getKey', { params: { keyId: child.id } });
  await call(admin, 'listKeys', { query: '?limit=2' });
  await call(admin, 'updateKey', { params: { keyId: master.id }, body: { name: null } });
  const { id: dhId } = await call<Named>(admin, 'createKey', { body: { scheme: 'DH', curve: 'secp256k1' } });
  await call(admin, 'deriveKey', { params: { keyId: dhId }, body: { domain: '0x6170', seed: '0x01' } });
  await call(admin, 'deleteKey', { params: { keyId: dhId } });

  const given = await call<Named>(admin, 'createKey', { body: { ...FORM, delayDelegation: true } });
  await call(admin, 'delegateKey', { params: { keyId: given.id }, body: { delegateTo: endUserId } });
  const later = await call<Named>(admin, 'createWallet', { body: { network: 'KeyEdDSA', delayDelegation: true } });
  await call(admin, 'delegateWallet', { params: { walletId: later.id }, body: { userId: endUserId } });

  const recipient = await createRecipient();
  const body = { encryptionKey: recipient.encryptionKey, supportedSchemes: [{ protocol: 'Software', curve: 'secp256k1' }] };
  const exported = await call<KeyExportBody>(admin, 'exportKey', { params: { keyId: child.id }, body });
  await recipient.open(orgId, exported);
  const wallet = await call<Named>(admin, 'createWallet', { body: { network: 'EthereumSepolia' } });
  await call(admin, 'exportWallet', { params: { walletId: wallet.id }, body });
  const share = () => sealForSigner(signer, orgId, secp256k1.utils.randomSecretKey());
  await call(admin, 'importKey', { body: { ...(await share()), name: 'From elsewhere' } });
  await call(admin, 'importWallet', {
    body: { ...(await share()), network: 'EthereumSepolia', metadata: { origin: 'old vault' } },
  });
}
