import { newId } from '../../../../platform/ids';
import { newHash, type SignatureApi, startSignatureApi } from '../../../support/signature-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let signatures: SignatureApi;
beforeAll(async () => {
  signatures = await startSignatureApi();
}, START_LIMIT_MS);
afterAll(() => signatures?.close());

const path = (id = signatures.wallet.id) => `/wallets/${id}/signatures`;

test('200: the key of the wallet signs, and the answer contains wallet and key', async () => {
  expect(await signatures.ask({}, path())).toMatchObject({
    status: 200,
    body: { status: 'Signed', walletId: signatures.wallet.id, keyId: signatures.keyId, network: 'EthereumSepolia' },
  });
});

test('400: the network is not that of the wallet', async () => {
  const body = { kind: 'Hash', hash: newHash(), network: 'Ethereum' };
  expect(await signatures.ask(body, path())).toMatchObject(refusal(400, 'InvalidRequest', faultAt('body.network')));
});

test('404: a wallet that is unknown or belongs to another organisation', async () => {
  const body = { kind: 'Hash', hash: newHash() };
  expect(await signatures.ask(body, path(newId('wallet')))).toMatchObject(refusal(404, 'NotFound'));
  expect(await signatures.stranger.client.change('POST', path(), body)).toMatchObject(refusal(404, 'NotFound'));
});

test('409: a different request has already used the externalId with this key', async () => {
  const { id } = await signatures.request({ externalId: 'shared' });
  const duplicate = { duplicate: { id, externalId: 'shared' } };
  expect(await signatures.ask({ externalId: 'shared' }, path())).toMatchObject(refusal(409, 'Conflict', duplicate));
});

test('403: without Keys:Signatures:Create', async () => {
  const person = await signatures.api.createPerson(signatures.orgId, { operations: ['Wallets:Read'] });
  const body = { kind: 'Hash', hash: newHash() };
  expect(await person.client.change('POST', path(), body)).toMatchObject(refusal(403, 'Forbidden'));
});
