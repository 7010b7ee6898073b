import { EventEntity } from '../../../../entities/events/event.entity';
import { knowing } from '../../../support/price-source';
import { PRICES_ARE_SHARED, type Priced, withPrices } from '../../../support/priced-api';
import { startTransferApi, type TransferApi } from '../../../support/transfer-api';
import { START_LIMIT_MS } from '../../../support/wallet-api';

let transfers: TransferApi & Priced;
beforeAll(async () => {
  transfers = await withPrices(await startTransferApi({ own: PRICES_ARE_SHARED }));
}, START_LIMIT_MS);
afterAll(() => transfers?.close());

type Asset = { readonly quotes?: object };
const assetIn = async (transferId: string): Promise<Asset> => {
  const { body } = await transfers.admin.client.get(`/wallets/${transfers.wallet.id}/transfers/${transferId}`);
  const { metadata }: { readonly metadata: { readonly asset: Asset } } = body;
  return metadata.asset;
};

test('200: answers, approval and event show the price of the transfer at the moment of its request', async () => {
  const at = async (usd: string, eur?: string) => {
    transfers.source.how = knowing({ native: { usd, ...(eur === undefined ? {} : { eur }) } });
    await transfers.refreshPrices();
  };
  await at('3000.25', '2800.5');
  const asked = { externalId: 'rent-priced' };
  const first = await transfers.request(asked);
  const quoted = { metadata: { asset: { symbol: 'ETH', decimals: 18, verified: true, quotes: { EUR: 2800.5, USD: 3000.25 } } } };
  expect(first).toMatchObject(quoted);
  await at('4000');
  expect(await transfers.request()).toMatchObject({ metadata: { asset: { quotes: { USD: 4000 } } } });
  expect(await assetIn(first.id)).toEqual(quoted.metadata.asset);
  expect(await transfers.request(asked)).toMatchObject({ id: first.id, ...quoted });
  const approval = await transfers.admin.client.get(`/v2/policy-approvals/${first.approvalId}`);
  expect(approval.body).toMatchObject({ activity: { transferRequest: quoted } });
  const events = await transfers.api.database.db
    .read(transfers.orgId)
    .rows(EventEntity, `WHERE t.kind = 'wallet.transfer.requested' AND t.aggregate_id = $1`, [first.id]);
  expect(events.map(({ data }) => data)).toEqual([{ transferRequest: expect.objectContaining(quoted) }]);
});

test('200: a transfer without a known price does not show quotes, not even later', async () => {
  const plain = { symbol: 'ETH', decimals: 18, verified: true };
  await transfers.forgetPrices();
  const { id } = await transfers.request();
  transfers.source.how = knowing({ native: { usd: '3000' } });
  await transfers.refreshPrices();
  expect(await assetIn(id)).toEqual(plain);
  await transfers.api.database.arrange('UPDATE prices SET date_until = clock_timestamp() WHERE usd_micro IS NOT NULL', []);
  expect(await assetIn((await transfers.request()).id)).toEqual(plain);
});

test('200: a price whose decimals differ from those of the token is not shown as a quote', async () => {
  const contract = '0xDc64a140Aa3E981100a9becA4E685f962f0cF6C9';
  transfers.node.tokens.set(contract.toLowerCase(), { decimals: 6, symbol: 'TST', balanceUnits: 2n ** 200n });
  const quotes = async (decimals: number) => {
    transfers.source.how = knowing({ [contract]: { usd: '1.5', decimals } });
    await transfers.refreshPrices();
    return (await assetIn((await transfers.request({ kind: 'Erc20', contract })).id)).quotes;
  };
  await transfers.ask({ kind: 'Erc20', contract });
  expect([await quotes(18), await quotes(6)]).toEqual([undefined, { USD: 1.5 }]);
});
