import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Client } from './client';
import { sealForSigner } from './keys';
import type { JoinedService } from './service';
import { ok, TEN_ETHER, type WalletBody } from './story';

type Signers = { readonly clusters: readonly { readonly signers: readonly Parameters<typeof sealForSigner>[0][] }[] };
type Stolen = { readonly wallet: WalletBody; readonly thief: PrivateKeyAccount };

/** A wallet with ten ether. The account `thief` has the key of the wallet too. */
export async function stolenWallet(service: JoinedService, admin: Client): Promise<Stolen> {
  ok(await admin.change('PUT', '/organizations/settings', { keyImport: true }));
  const { clusters } = ok(await admin.get('/signers')) as Signers;
  const signer = clusters[0]?.signers[0];
  if (!signer) throw new Error('the service lists no signer');
  const secret = secp256k1.utils.randomSecretKey();
  const share = await sealForSigner(signer, service.firstRun().orgId, secret);
  const wallet = ok(await admin.change('POST', '/wallets/import', { ...share, network: 'EthereumSepolia' })) as WalletBody;
  await service.rpc('anvil_setBalance', [wallet.address, TEN_ETHER]);
  return { wallet, thief: privateKeyToAccount(bytesToHex(secret)) };
}
