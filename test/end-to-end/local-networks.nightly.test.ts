import { join } from 'node:path';
import { utxoCodecOf } from '../../chains/codecs';
import { freePort } from '../../local/free-port';
import { run, SCRIPTS } from '../scripts/script';
import { createService, type Service } from '../support/service';
import { ended, ok, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(300_000);

const NETWORKS = ['BitcoinSignet', 'LitecoinTestnet', 'BitcoinCashTestnet'] as const;
type Name = (typeof NETWORKS)[number];
const SOMEBODY = '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5';

let service: Service;
let urls: Readonly<Record<Name, string>>;
beforeAll(async () => {
  const [bitcoin, litecoin, cash, solana] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const at = (port: number) => `http://127.0.0.1:${port}`;
  urls = { BitcoinSignet: at(bitcoin), LitecoinTestnet: at(litecoin), BitcoinCashTestnet: at(cash) };
  const ports = { BITCOIN_PORT: String(bitcoin), LITECOIN_PORT: String(litecoin), BITCOINCASH_PORT: String(cash) };
  const networks = 'bitcoin,litecoin,bitcoincash,solana';
  service = await createService({ LOCAL_NETWORKS: networks, SOLANA_PORT: String(solana), ...ports });
  await service.start();
});
afterAll(() => service?.close());

async function node(network: Name, method: string, params: readonly unknown[]): Promise<void> {
  const reply = await fetch(urls[network], { method: 'POST', body: JSON.stringify({ jsonrpc: '1.0', id: 1, method, params }) });
  expect(await reply.json()).toMatchObject({ error: null });
}
const reconciled = async () => {
  const { code, output } = await run([join(SCRIPTS, 'operator.mjs'), 'reconcile'], service.env);
  if (code !== 0) throw new Error(output);
  return output;
};

test('npm run demo ends with its transfer confirmed, even if other local networks run', async () => {
  const { code, output } = await run([join(SCRIPTS, 'demo.mjs')], service.env);
  expect(output).toContain('confirmed by the chain');
  expect(code).toBe(0);
});

test.each(NETWORKS)('%s: log, rows and the real node agree on payment, change and receipts', async (network) => {
  const admin = service.client('admin');
  const wallet = ok(await admin.change('POST', '/wallets', { network })) as WalletBody;
  for (let coin = 0; coin < 2; coin += 1) await node(network, 'strongroom_fund', [wallet.address, '1']);
  const balance = async () => {
    const { assets } = ok(await admin.get(`/wallets/${wallet.id}/assets`)) as { assets: { balance: string }[] };
    return assets[0]?.balance;
  };
  await waitUntil('the funds', async () => (await balance()) === '200000000', 60_000);
  // The second transfer may spend the change of the first.
  for (const amount of ['1000000', '190000000']) {
    const body = { kind: 'Native', to: utxoCodecOf(network).addressOf(SOMEBODY), amount };
    const { id } = ok(await admin.change('POST', `/wallets/${wallet.id}/transfers`, body)) as TransferBody;
    expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Confirmed' });
  }
  expect(await reconciled()).not.toContain(network);
});
