import { newId } from '../../platform/ids';
import { type SignatureApi, type SignaturePage, startSignatureApi } from '../support/signature-api';
import { refusal, START_LIMIT_MS } from '../support/wallet-api';

describe.each([
  { id: 'keysListSignatures', pathOf: ({ keyId }: SignatureApi) => `/keys/${keyId}/signatures` },
  { id: 'walletsListSignatures', pathOf: ({ wallet }: SignatureApi) => `/wallets/${wallet.id}/signatures` },
])('$id', ({ pathOf }) => {
  let signatures: SignatureApi;
  const ids: string[] = [];
  beforeAll(async () => {
    signatures = await startSignatureApi();
    for (let n = 0; n < 3; n += 1) ids.unshift((await signatures.request({}, path())).id);
  }, START_LIMIT_MS);
  afterAll(() => signatures?.close());

  const path = () => pathOf(signatures);
  const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

  test('200: every request of the key or wallet, newest first, and no request of another one', async () => {
    const other = await signatures.createWallet();
    await signatures.request({}, path().replace(signatures.keyId, other.signingKey.id).replace(signatures.wallet.id, other.id));
    const { status, body } = await signatures.admin.client.get(path());
    const { keyId, items } = body as SignaturePage;
    expect([status, keyId, idsOf(items)]).toEqual([200, signatures.keyId, ids]);
  });

  test('200: pages follow each other, and the last page has no token', async () => {
    const { client } = signatures.admin;
    const first = (await client.get(`${path()}?limit=2`)).body as SignaturePage;
    const last = (await client.get(`${path()}?limit=2&paginationToken=${first.nextPageToken}`)).body as SignaturePage;
    expect([...idsOf(first.items), ...idsOf(last.items)]).toEqual(ids);
    expect(last).not.toHaveProperty('nextPageToken');
  });

  test('400: the limit is not valid', async () => {
    expect(await signatures.admin.client.get(`${path()}?limit=0`)).toMatchObject(refusal(400, 'InvalidRequest'));
  });

  test('404: a key or wallet that is unknown or belongs to another organisation', async () => {
    const unknown = path().replace(signatures.keyId, newId('key')).replace(signatures.wallet.id, newId('wallet'));
    expect(await signatures.admin.client.get(unknown)).toMatchObject(refusal(404, 'NotFound'));
    expect(await signatures.stranger.client.get(path())).toMatchObject(refusal(404, 'NotFound'));
  });

  test('403: without Keys:Signatures:Read', async () => {
    const person = await signatures.api.createPerson(signatures.orgId, { operations: ['Keys:Read'] });
    expect(await person.client.get(path())).toMatchObject(refusal(403, 'Forbidden'));
  });
});
