import { newId } from '../../platform/ids';
import { type SignatureApi, type SignatureBody, startSignatureApi } from '../support/signature-api';
import { refusal, START_LIMIT_MS } from '../support/wallet-api';

describe.each([
  { id: 'keysExplainSignature', pathOf: ({ keyId }: SignatureApi) => `/keys/${keyId}/signatures` },
  { id: 'walletsExplainSignature', pathOf: ({ wallet }: SignatureApi) => `/wallets/${wallet.id}/signatures` },
])('$id', ({ pathOf }) => {
  let signatures: SignatureApi;
  let signature: SignatureBody;
  beforeAll(async () => {
    signatures = await startSignatureApi();
    signature = await signatures.request({}, pathOf(signatures));
  }, START_LIMIT_MS);
  afterAll(() => signatures?.close());

  const path = (id = signature.id) => `${pathOf(signatures)}/${id}/explain`;

  test('200: the answer has the stage of the signature', async () => {
    expect(await signatures.admin.client.get(path())).toMatchObject({
      status: 200,
      body: {
        subject: { kind: 'Signature', id: signature.id },
        stage: 'Ended',
        summary: 'The signature request has ended: Signed.',
      },
    });
  });

  test('404: a signature that is unknown, belongs to another organisation, or is not the end user’s own, and a text that is not an id', async () => {
    const { client } = signatures.admin;
    const endUser = await signatures.api.createPerson(signatures.orgId, { kind: 'EndUser' });
    expect(await client.get(path(newId('signature')))).toMatchObject(refusal(404, 'NotFound'));
    expect(await signatures.stranger.client.get(path())).toMatchObject(refusal(404, 'NotFound'));
    expect(await endUser.client.get(path())).toMatchObject(refusal(404, 'NotFound'));
    expect(await client.get(path(encodeURIComponent("sig-' OR 1=1 --")))).toMatchObject(refusal(404, 'NotFound'));
  });

  test('404: the signature belongs to another key or wallet', async () => {
    const other = await signatures.createWallet();
    const elsewhere = path().replace(signatures.keyId, other.signingKey.id).replace(signatures.wallet.id, other.id);
    expect(await signatures.admin.client.get(elsewhere)).toMatchObject(refusal(404, 'NotFound'));
  });

  test('403: without Keys:Signatures:Read', async () => {
    const person = await signatures.api.createPerson(signatures.orgId, { operations: ['Keys:Read'] });
    expect(await person.client.get(path())).toMatchObject(refusal(403, 'Forbidden'));
  });
});
