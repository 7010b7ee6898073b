import { freePort } from '../../local/free-port';
import type { Client } from '../support/client';
import { createService, type Service } from '../support/service';
import { ended, ok, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);

type Name = 'BitcoinSignet' | 'LitecoinTestnet';

let service: Service;
let admin: Client;
const urls: Partial<Record<Name, string>> = {};

beforeAll(async () => {
  const [bitcoin, litecoin] = [await freePort(), await freePort()];
  urls.BitcoinSignet = `http://127.0.0.1:${bitcoin}`;
  urls.LitecoinTestnet = `http://127.0.0.1:${litecoin}`;
  const ports = { BITCOIN_PORT: String(bitcoin), LITECOIN_PORT: String(litecoin) };
  service = await createService({ LOCAL_NETWORKS: 'bitcoin,litecoin', ...ports });
  await service.start();
  admin = service.client('admin');
});
afterAll(() => service?.close());

async function node<T>(network: Name, method: string, params: readonly unknown[] = []): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '1.0', id: 1, method, params });
  const reply = await fetch(urls[network] ?? '', { method: 'POST', body });
  const { result, error } = (await reply.json()) as { result: T; error?: { message: string } | null };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

const balanceOf = async (walletId: string): Promise<bigint> => {
  const { assets } = ok(await admin.get(`/wallets/${walletId}/assets`)) as { assets: { balance: string }[] };
  return BigInt(assets[0]?.balance ?? '0');
};

/** A wallet with that many coins of one whole each, in blocks. */
async function fundedWallet(network: Name, coins = 1, more: Readonly<Record<string, unknown>> = {}): Promise<WalletBody> {
  const wallet = ok(await admin.change('POST', '/wallets', { network, ...more })) as WalletBody;
  for (let coin = 0; coin < coins; coin += 1) await node(network, 'strongroom_fund', [wallet.address, '1']);
  await waitUntil('the funds', async () => (await balanceOf(wallet.id)) === BigInt(coins) * 100_000_000n, 60_000);
  return wallet;
}

const pay = (wallet: WalletBody, to: string, amount: string) =>
  admin.change('POST', `/wallets/${wallet.id}/transfers`, { kind: 'Native', to, amount });

const inputsOf = async (network: Name, txHash: string | undefined) => {
  const { vin } = await node<{ vin: { txid: string; vout: number }[] }>(network, 'getrawtransaction', [txHash, true]);
  return vin.map(({ txid, vout }) => `${txid}:${vout}`);
};

test.each<[Name, RegExp, Readonly<Record<string, unknown>>]>([
  ['BitcoinSignet', /^tb1q/, {}],
  ['BitcoinSignet', /^tb1p/, { signingKey: { scheme: 'Schnorr' } }],
  ['LitecoinTestnet', /^tltc1q/, {}],
])('on %s a wallet at %s pays and its change comes back', async (network, form, more) => {
  const wallet = await fundedWallet(network, 1, more);
  const other = ok(await admin.change('POST', '/wallets', { network, ...more })) as WalletBody;
  expect(wallet.address).toMatch(form);
  const { id } = ok(await pay(wallet, other.address, '1000000')) as TransferBody;
  const transfer = await ended(admin, wallet.id, id);
  expect(transfer).toMatchObject({ status: 'Confirmed', txHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const fee = BigInt(transfer.fee ?? '0');
  expect(fee).toBeGreaterThan(100n);
  expect(await balanceOf(wallet.id)).toBe(99_000_000n - fee);
  expect(await balanceOf(other.id)).toBe(1_000_000n);
});

test('three at once over two coins never share one, and the third spends the change of another', async () => {
  const wallet = await fundedWallet('BitcoinSignet', 2);
  const amounts = ['60000000', '60000000', '30000000'];
  const answers = await Promise.all(amounts.map((amount) => pay(wallet, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', amount)));
  const ends = await Promise.all(answers.map((answer) => ended(admin, wallet.id, (ok(answer) as TransferBody).id)));
  expect(ends.map(({ status }) => status)).toEqual(['Confirmed', 'Confirmed', 'Confirmed']);
  const spent = (await Promise.all(ends.map(({ txHash }) => inputsOf('BitcoinSignet', txHash)))).flat();
  expect(new Set(spent).size).toBe(spent.length);
});

test('a reorganisation of three blocks takes nothing from a transfer and sends nothing twice', async () => {
  const wallet = await fundedWallet('BitcoinSignet');
  await node('BitcoinSignet', 'strongroom_setMining', [false]);
  const { id } = ok(await pay(wallet, wallet.address, '5000')) as TransferBody;
  const at = `/wallets/${wallet.id}/transfers/${id}`;
  const { txHash } = await waitUntil('the broadcast', async () => {
    const transfer = ok(await admin.get(at)) as TransferBody;
    return transfer.status === 'Broadcasted' && transfer;
  });
  await node('BitcoinSignet', 'strongroom_mine', [2]);
  await node('BitcoinSignet', 'strongroom_reorganise', [3]);
  await node('BitcoinSignet', 'strongroom_setMining', [true]);
  expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Confirmed', txHash });
});

test('what cannot be sent is refused with its field before anything is stored', async () => {
  const wallet = await fundedWallet('BitcoinSignet');
  const litecoin = ok(await admin.change('POST', '/wallets', { network: 'LitecoinTestnet' })) as WalletBody;
  const refused: readonly (readonly [Readonly<Record<string, unknown>>, string])[] = [
    [{ to: litecoin.address }, 'body.to'],
    [{ to: `${wallet.address.slice(0, -1)}${wallet.address.endsWith('q') ? 'p' : 'q'}` }, 'body.to'],
    [{ amount: '293' }, 'body.amount'],
    [{ amount: '100000001' }, 'body.amount'],
  ];
  for (const [more, path] of refused) {
    const body = { kind: 'Native', to: wallet.address, amount: '1000', ...more };
    const answer = await admin.change('POST', `/wallets/${wallet.id}/transfers`, body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toContain(path);
  }
  expect(ok(await admin.get(`/wallets/${wallet.id}/transfers`))).toMatchObject({ items: [] });
});

test('a stop between request and block loses nothing: the same bytes are sent after the start', async () => {
  const wallet = await fundedWallet('BitcoinSignet');
  await node('BitcoinSignet', 'strongroom_setMining', [false]);
  const { id } = ok(await pay(wallet, wallet.address, '7000')) as TransferBody;
  await service.stop('SIGKILL');
  await service.start();
  admin = service.client('admin');
  const transfer = await ended(admin, wallet.id, id);
  expect(transfer).toMatchObject({ status: 'Confirmed' });
  expect(await inputsOf('BitcoinSignet', transfer.txHash)).toHaveLength(1);
});
