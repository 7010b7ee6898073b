import { readAttestation } from '../../../../platform/address-attestation';
import { newId } from '../../../../platform/ids';
import { refusal, START_LIMIT_MS, startWalletApi, type WalletApi, type WalletBody } from '../../../support/wallet-api';

let wallets: WalletApi;
let wallet: WalletBody;
beforeAll(async () => {
  wallets = await startWalletApi();
  wallet = await wallets.createWallet();
}, START_LIMIT_MS);
afterAll(() => wallets?.close());

const read = (walletId: string) => wallets.admin.client.get(`/wallets/${walletId}/attestation`);

test('200: from its creation on, the wallet shows the address that the signer attests', async () => {
  const answer = await read(wallet.id);
  expect(answer).toMatchObject({ status: 200, body: { walletId: wallet.id } });
  const { attestation } = answer.body as { readonly attestation: string };
  expect(readAttestation(attestation)).toMatchObject({
    organizationId: wallets.orgId,
    keyId: wallet.signingKey.id,
    network: 'EthereumSepolia',
    address: wallet.address,
    publicKey: wallet.signingKey.publicKey,
    isKnownOutside: false,
  });
});

test('503: the signer has not attested the wallet yet', async () => {
  const young = await wallets.createWallet();
  await wallets.api.database.arrange('DELETE FROM wallet_attestations WHERE wallet_id = $1', [young.id]);
  expect(await read(young.id)).toMatchObject(refusal(503, 'NotReady', { walletId: young.id }));
});

test('404: a wallet without an address, an unknown wallet, and a wallet of another organisation', async () => {
  const onlySigns = await wallets.createWallet({ network: 'KeyECDSA' });
  for (const id of [onlySigns.id, newId('wallet')])
    expect(await read(id)).toMatchObject(refusal(404, 'NotFound', { walletId: id }));
  expect(await wallets.stranger.client.get(`/wallets/${wallet.id}/attestation`)).toMatchObject(refusal(404, 'NotFound'));
});

test('403: without Wallets:Read', async () => {
  const person = await wallets.api.createPerson(wallets.orgId, { operations: [] });
  expect(await person.client.get(`/wallets/${wallet.id}/attestation`)).toMatchObject(refusal(403, 'Forbidden'));
});

test('500: the row of the wallet was altered, so its address is shown neither alone nor in a list', async () => {
  const altered = await wallets.createWallet({ externalId: 'altered' });
  const foreign = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  await wallets.api.database.arrange('UPDATE wallets SET address = $2 WHERE id = $1', [altered.id, foreign]);
  for (const path of [`/wallets/${altered.id}`, '/wallets?externalId=altered']) {
    const answer = await wallets.admin.client.get(path);
    expect(answer).toMatchObject(refusal(500, 'Internal'));
    expect(JSON.stringify(answer.body)).not.toContain(foreign);
  }
});
