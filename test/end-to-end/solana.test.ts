import { freePort } from '../../local/free-port';
import { keyOf, makeToken } from '../local/solana/tokens';
import type { Client } from '../support/client';
import { createService, type Service } from '../support/service';
import { ended, ok, send, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(240_000);

const recipient = keyOf(2).address;
const SOL = 1_000_000_000;
let service: Service;
let admin: Client;
let wallet: WalletBody;

beforeAll(async () => {
  service = await createService({ LOCAL_NETWORKS: 'solana', SOLANA_PORT: String(await freePort()) });
  await service.start();
  admin = service.client('admin');
  wallet = ok(await admin.change('POST', '/wallets', { network: 'SolanaDevnet' })) as WalletBody;
  await bank('requestAirdrop', wallet.address, 10 * SOL);
  await bank('strongroom_advanceSlots', 8);
});
afterAll(() => service.close());

async function bank(method: string, ...params: unknown[]): Promise<unknown> {
  const { SolanaDevnet } = service.firstRun().chains as Readonly<Record<string, { readonly rpcUrl: string }>>;
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(SolanaDevnet?.rpcUrl ?? '', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  const answer = (await response.json()) as { result?: unknown; error?: { message: string } };
  if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
  return answer.result;
}

const confirmed = async (body: Readonly<Record<string, unknown>>): Promise<TransferBody> => {
  const { id } = await send(admin, wallet.id, { to: recipient, ...body });
  const transfer = await ended(admin, wallet.id, id);
  expect(transfer).toMatchObject({ status: 'Confirmed' });
  return transfer;
};
const assets = async () => (ok(await admin.get(`/wallets/${wallet.id}/assets`)) as { readonly assets: unknown }).assets;

test('SOL goes out with a memo, and the fee is the one that the network took', async () => {
  const { fee } = await confirmed({ amount: String(SOL), memo: 'invoice7' });
  expect(Number(fee)).toBeGreaterThanOrEqual(5_000);
  expect(await assets()).toMatchObject([{ kind: 'Native', symbol: 'SOL', balance: String(9 * SOL - Number(fee)) }]);
});

test('tokens of both programs go to accounts that are made for them, a fee of the token stays with it', async () => {
  const owner = wallet.address;
  const plain = await makeToken(bank, { program: 'Spl', mint: keyOf(31), owner, amount: 5_000_000n });
  const taxed = await makeToken(bank, { program: 'Spl2022', extension: 'fee', mint: keyOf(32), owner, amount: 5_000_000n });
  await bank('strongroom_advanceSlots', 4);
  const asked = { kind: 'Spl', mint: plain, to: recipient, amount: '1500000' };
  const refused = await admin.change('POST', `/wallets/${wallet.id}/transfers`, asked);
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { details: { issues: [{ path: 'body.createDestinationAccount' }] } } },
  });
  await confirmed({ ...asked, createDestinationAccount: true });
  await confirmed({ ...asked, kind: 'Spl2022', mint: taxed, amount: '1000000', createDestinationAccount: true });
  expect(await assets()).toMatchObject([
    { kind: 'Native' },
    expect.objectContaining({ kind: 'Spl2022', mint: taxed, balance: '4000000', decimals: 6 }),
    expect.objectContaining({ kind: 'Spl', mint: plain, balance: '3500000' }),
  ]);
});

test('a durable nonce keeps a transfer valid that was signed long before it is sent', async () => {
  const body = { kind: 'CreateSolanaNonceAccounts', count: 2 };
  const made = ok(await admin.change('POST', `/wallets/${wallet.id}/transactions`, body)) as { readonly id: string };
  const path = `/wallets/${wallet.id}/transactions/${made.id}`;
  const isMade = async () => (ok(await admin.get(path)) as TransferBody).status === 'Confirmed';
  await waitUntil('the nonce accounts', isMade, 60_000);
  await bank('strongroom_advanceSlots', 4);
  await bank('strongroom_dropTransactions', true);
  const { id } = await send(admin, wallet.id, { to: recipient, amount: '7000000', useDurableNonce: true });
  await bank('strongroom_advanceSlots', 800);
  await bank('strongroom_dropTransactions', false);
  expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Confirmed' });
});

test('a transfer whose blockhash expired before anybody took it ends, and nothing was spent', async () => {
  await bank('strongroom_dropTransactions', true);
  const before = await assets();
  const { id } = await send(admin, wallet.id, { to: recipient, amount: '9000000' });
  await bank('strongroom_advanceSlots', 250);
  await bank('strongroom_dropTransactions', false);
  const end = await ended(admin, wallet.id, id);
  expect(end).toMatchObject({ status: 'Failed', reason: expect.stringContaining('expired') });
  expect(await assets()).toEqual(before);
});
