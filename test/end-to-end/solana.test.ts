import { join } from 'node:path';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { solanaCodecOf } from '../../chains/codecs';
import { nonceSeeds } from '../../domain/nonce-accounts';
import { freePort } from '../../local/free-port';
import { messageOf, SYSTEM, wireOf } from '../chains/solana/messages';
import { call } from '../contract/calls';
import { keyOf, makeToken } from '../local/solana/tokens';
import { run, SCRIPTS } from '../scripts/script';
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

test('SOL is sent with a memo, and the reported fee is the fee that the network charged', async () => {
  const { fee } = await confirmed({ amount: String(SOL), memo: 'invoice7' });
  expect(Number(fee)).toBeGreaterThanOrEqual(5_000);
  expect(await assets()).toMatchObject([{ kind: 'Native', symbol: 'SOL', balance: String(9 * SOL - Number(fee)) }]);
});

test('tokens of both token programs are sent to accounts that are created for them, and a transfer fee stays with the token', async () => {
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
  const ofTaxed = { ...asked, kind: 'Spl2022', mint: taxed, amount: '1000000', createDestinationAccount: true };
  expect(await confirmed(ofTaxed)).toMatchObject({ details: { withheldUnits: '10000' } });
  expect(await assets()).toMatchObject([
    { kind: 'Native' },
    expect.objectContaining({ kind: 'Spl2022', mint: taxed, balance: '4000000', decimals: 6 }),
    expect.objectContaining({ kind: 'Spl', mint: plain, balance: '3500000' }),
  ]);
});

test('requests and answers for a wallet with tokens fit the published client', async () => {
  const params = { walletId: wallet.id };
  const mint = await makeToken(bank, {
    program: 'Spl',
    mint: keyOf(35),
    owner: wallet.address,
    amount: 50n,
    further: [recipient],
  });
  await bank('strongroom_advanceSlots', 4);
  const body = { kind: 'Spl', mint, to: recipient, amount: '20' };
  const { id: transferId } = await call<WalletBody>(admin, 'transferAsset', { params, body });
  await ended(admin, wallet.id, transferId);
  await call(admin, 'getTransfer', { params: { ...params, transferId } });
  for (const list of ['listTransfers', 'getWalletAssets']) await call(admin, list, { params });
});

test('a wallet without any SOL pays tokens once, and its sponsor pays the fee, which is in the list of sponsored fees', async () => {
  const sponsor = ok(await admin.change('POST', '/wallets', { network: 'SolanaDevnet' })) as WalletBody;
  const poor = ok(await admin.change('POST', '/wallets', { network: 'SolanaDevnet' })) as WalletBody;
  const token = { program: 'Spl', mint: keyOf(33), owner: poor.address, amount: 900n, further: [recipient] } as const;
  const mint = await makeToken(bank, token);
  const { id: feeSponsorId } = ok(await admin.change('POST', '/fee-sponsors', { walletId: sponsor.id })) as WalletBody;
  await bank('strongroom_advanceSlots', 4);
  const body = { kind: 'Spl', mint, to: recipient, amount: '400', feeSponsorId };
  const ask = (more = {}) => admin.change('POST', `/wallets/${poor.id}/transfers`, { ...body, ...more });
  const refusedAt = (path: string, message: string) => ({
    status: 400,
    body: { error: { details: { issues: [{ path: `body.${path}`, message: expect.stringContaining(message) }] } } },
  });
  expect(await ask()).toMatchObject(refusedAt('feeSponsorId', 'it holds 0'));
  await bank('requestAirdrop', sponsor.address, SOL);
  await bank('strongroom_advanceSlots', 8);
  const elsewhere = { to: keyOf(34).address, createDestinationAccount: true };
  expect(await ask(elsewhere)).toMatchObject(refusedAt('createDestinationAccount', 'the wallet pays'));

  const sent = await send(admin, poor.id, body);
  const end = await ended(admin, poor.id, sent.id);
  expect(end).toMatchObject({ status: 'Confirmed', txHash: sent.txHash, feeSponsorId });
  // The fee covers two signatures and the compute units.
  expect(Number(end.fee)).toBeGreaterThanOrEqual(10_000);
  const { value: left } = (await bank('getBalance', sponsor.address)) as { readonly value: number };
  expect(left).toBe(SOL - Number(end.fee));
  const held = (ok(await admin.get(`/wallets/${poor.id}/assets`)) as { readonly assets: unknown }).assets;
  expect(held).toMatchObject([
    { kind: 'Native', balance: '0' },
    { kind: 'Spl', mint, balance: '500' },
  ]);
  const { items } = ok(await admin.get(`/fee-sponsors/${feeSponsorId}/fees`)) as { readonly items: unknown };
  expect(items).toMatchObject([{ requestId: sent.id, sponsoreeId: poor.id, fee: end.fee }]);
});

test('a transfer with a durable nonce stays valid even if it is sent long after it was signed', async () => {
  const body = { kind: 'CreateSolanaNonceAccounts', count: 2 };
  const made = await call<WalletBody>(admin, 'broadcastTransaction', { params: { walletId: wallet.id }, body });
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

test('the wallet signs a transaction with a fee that another key pays, and the network accepts the transaction', async () => {
  const payer = keyOf(7);
  await bank('requestAirdrop', payer.address, SOL);
  const { value } = (await bank('getLatestBlockhash')) as { readonly value: { readonly blockhash: string } };
  const pay = { program: SYSTEM, data: '020000008096980000000000', accounts: [wallet.address, recipient] };
  const message = messageOf({
    version: 0,
    signers: [payer.address, wallet.address],
    blockhash: value.blockhash,
    instructions: [pay],
  });
  const theirs = ed25519.sign(Uint8Array.from(message), payer.secret);
  const body = { kind: 'Transaction', transaction: wireOf(message, [theirs, null]).toString('base64') };
  const path = `/wallets/${wallet.id}/signatures`;
  const signed = ok(await admin.change('POST', path, body)) as { readonly signedData: string; readonly txHash: string };
  expect(signed).toMatchObject({ status: 'Signed', txHash: base58.encode(theirs), signatures: [{ r: expect.any(String) }] });
  const wire = Buffer.from(signed.signedData.slice(2), 'hex').toString('base64');
  expect(await bank('sendTransaction', wire, { encoding: 'base64' })).toBe(signed.txHash);

  const elsewhere = messageOf({ signers: [wallet.address], instructions: [{ ...pay, data: '020000000100000000000000' }] });
  expect(await admin.change('POST', path, { kind: 'Transaction', transaction: elsewhere.toString('hex') })).toMatchObject({
    status: 400,
    body: { error: { details: { issues: [{ path: 'body.transaction', message: expect.stringContaining('blockhash') }] } } },
  });
});

test('a transaction with a durable nonce that was never sent is cancelled, and the network then refuses it', async () => {
  const codec = solanaCodecOf('SolanaDevnet');
  const account = await codec.seedAddress(wallet.address, nonceSeeds[0] ?? '');
  const { value: found } = (await bank('getAccountInfo', account, { encoding: 'base64' })) as {
    readonly value: { data: string[] };
  };
  const value = base58.encode(Buffer.from(found.data[0] ?? '', 'base64').subarray(40, 72));
  const { bytesHex } = codec.build(
    { network: 'SolanaDevnet', from: wallet.address, to: recipient, amountUnits: 5_000_000n, asset: { kind: 'Native' } },
    {
      lifetime: { kind: 'durable-nonce', account, authority: wallet.address, value },
      ...{ computeUnitLimit: 10_000, microLamportsPerUnit: 0n },
    },
  );
  const path = `/wallets/${wallet.id}/signatures`;
  const body = { kind: 'Transaction', transaction: bytesHex };
  const signed = ok(await admin.change('POST', path, body)) as { readonly id: string; readonly signedData: string };
  const none = ok(await admin.change('POST', `${path}/${signed.id}/cancel`)) as TransferBody;
  const read = async () => ok(await admin.get(`/wallets/${wallet.id}/transactions/${none.id}`)) as TransferBody;
  await waitUntil('the cancellation', async () => (await read()).status === 'Confirmed', 60_000);
  expect(await read()).toMatchObject({ details: { cancelsSignature: signed.id } });
  expect(await admin.get(`${path}/${signed.id}`)).toMatchObject({ body: { details: { cancelledBy: none.id } } });
  const wire = Buffer.from(signed.signedData.slice(2), 'hex').toString('base64');
  await expect(bank('sendTransaction', wire, { encoding: 'base64' })).rejects.toThrow('simulation failed');
});

describe('a transfer with a durable nonce that the network drops', () => {
  type Shown = TransferBody & { readonly replacementId?: string };
  const path = (id: string) => `/wallets/${wallet.id}/${id.startsWith('tx-') ? 'transactions' : 'transfers'}/${id}`;
  const shown = async (id: string) => ok(await admin.get(path(id))) as Shown;
  const endOf = async (id: string) =>
    waitUntil(`the end of ${id}`, async () => {
      const one = await shown(id);
      return ['Confirmed', 'Failed', 'Rejected'].includes(one.status) && one;
    });
  const stuck = async () => {
    await bank('strongroom_dropTransactions', true);
    return send(admin, wallet.id, { to: recipient, amount: '6000000', useDurableNonce: true });
  };
  const held = async () => Number(((await bank('getBalance', recipient)) as { readonly value: number }).value);

  test('is cancelled by advancing its nonce: nothing is paid, and the transfer and its cancellation refer to each other', async () => {
    const before = await held();
    const first = await stuck();
    await bank('strongroom_dropTransactions', [first.txHash]);
    const none = ok(await admin.change('POST', `${path(first.id)}/cancel`)) as Shown;
    expect(none).toMatchObject({ replacementId: first.id, requestBody: { kind: 'CancelTransaction', txHash: first.txHash } });
    expect(await endOf(none.id)).toMatchObject({ status: 'Confirmed' });
    expect(await endOf(first.id)).toMatchObject({ status: 'Failed', replacementId: none.id });
    await bank('strongroom_dropTransactions', false);
    expect(await held()).toBe(before);
  });

  test('may still confirm after its cancellation was broadcast, and is then paid once', async () => {
    const before = await held();
    const first = await stuck();
    const none = ok(await admin.change('POST', `${path(first.id)}/cancel`)) as Shown;
    await waitUntil('the cancellation', async () => (await shown(none.id)).status === 'Broadcasted');
    await bank('strongroom_dropTransactions', [(await shown(none.id)).txHash]);
    expect(await endOf(first.id)).toMatchObject({ status: 'Confirmed' });
    expect(await endOf(none.id)).toMatchObject({ status: 'Failed' });
    await bank('strongroom_dropTransactions', false);
    expect(await held()).toBe(before + 6_000_000);
  });

  test('is sped up at a higher price, and is paid once', async () => {
    const before = await held();
    const first = await stuck();
    await bank('strongroom_dropTransactions', [first.txHash]);
    const faster = ok(await admin.change('POST', `${path(first.id)}/speed-up`)) as Shown;
    expect(await endOf(faster.id)).toMatchObject({ status: 'Confirmed' });
    expect(await endOf(first.id)).toMatchObject({ status: 'Failed', replacementId: faster.id });
    await bank('strongroom_dropTransactions', false);
    expect(await held()).toBe(before + 6_000_000);
  });

  test('is sped up by the service itself after a while, and the replacement shows this', async () => {
    const before = await held();
    const first = await stuck();
    await bank('strongroom_dropTransactions', [first.txHash]);
    await bank('strongroom_advanceSlots', 200);
    const faster = await waitUntil('the replacement', async () => (await shown(first.id)).replacementId, 60_000);
    expect(await endOf(faster)).toMatchObject({ status: 'Confirmed', details: { madeByService: true } });
    expect(await endOf(first.id)).toMatchObject({ status: 'Failed', replacementId: faster });
    await bank('strongroom_dropTransactions', false);
    expect(await held()).toBe(before + 6_000_000);
  });
});

test('a sponsored transfer is cancelled or sped up at the sponsor’s expense, once each', async () => {
  const made = async () => ok(await admin.change('POST', '/wallets', { network: 'SolanaDevnet' })) as WalletBody;
  const [sponsor, user] = [await made(), await made()];
  for (const { address } of [sponsor, user]) await bank('requestAirdrop', address, SOL);
  await bank('strongroom_advanceSlots', 8);
  const { id: feeSponsorId } = ok(await admin.change('POST', '/fee-sponsors', { walletId: sponsor.id })) as WalletBody;
  const path = (id: string) => `/wallets/${user.id}/${id.startsWith('tx-') ? 'transactions' : 'transfers'}/${id}`;
  const shown = async (id: string) => ok(await admin.get(path(id))) as TransferBody & { readonly replacementId?: string };
  const endOf = (id: string) =>
    waitUntil(`the end of ${id}`, async () => {
      const one = await shown(id);
      return ['Confirmed', 'Failed', 'Rejected'].includes(one.status) && one;
    });
  const balance = async (address: string) => ((await bank('getBalance', address)) as { readonly value: number }).value;
  const accounts = ok(
    await admin.change('POST', `/wallets/${user.id}/transactions`, { kind: 'CreateSolanaNonceAccounts', count: 1 }),
  ) as WalletBody;
  expect(await endOf(accounts.id)).toMatchObject({ status: 'Confirmed' });
  await bank('strongroom_advanceSlots', 4);
  const [own, paid] = [await balance(user.address), await balance(recipient)];
  const stuck = async (useDurableNonce = true) => {
    await bank('strongroom_dropTransactions', true);
    const sent = await send(admin, user.id, { to: recipient, amount: '6000000', useDurableNonce, feeSponsorId });
    await bank('strongroom_dropTransactions', [sent.txHash]);
    return sent;
  };

  const first = await stuck();
  const none = ok(await admin.change('POST', `${path(first.id)}/cancel`)) as TransferBody;
  const cancelled = await endOf(none.id);
  expect(cancelled).toMatchObject({ status: 'Confirmed', replacementId: first.id });
  expect(await endOf(first.id)).toMatchObject({ status: 'Failed', replacementId: none.id });
  expect([await balance(user.address), await balance(recipient)]).toEqual([own, paid]);

  // The service makes this replacement by itself.
  const second = await stuck();
  await bank('strongroom_advanceSlots', 200);
  const faster = await waitUntil('the replacement', async () => (await shown(second.id)).replacementId, 60_000);
  const spedUp = await endOf(faster);
  expect(spedUp).toMatchObject({ status: 'Confirmed', details: { madeByService: true } });
  expect(await endOf(second.id)).toMatchObject({ status: 'Failed', replacementId: faster });
  expect([await balance(user.address), await balance(recipient)]).toEqual([own - 6_000_000, paid + 6_000_000]);

  const { items } = ok(await admin.get(`/fee-sponsors/${feeSponsorId}/fees`)) as { readonly items: readonly unknown[] };
  expect(items).toHaveLength(2);
  expect(items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ requestId: none.id, sponsoreeId: user.id, fee: cancelled.fee }),
      expect.objectContaining({ requestId: faster, sponsoreeId: user.id, fee: spedUp.fee }),
    ]),
  );
  expect(await balance(sponsor.address)).toBe(SOL - Number(cancelled.fee) - Number(spedUp.fee));

  const third = await stuck(false);
  expect(await admin.change('POST', `${path(third.id)}/speed-up`)).toMatchObject({
    status: 409,
    body: { error: { id: 'WrongState', message: expect.stringContaining('its fee sponsor pays only in that case') } },
  });
  await bank('strongroom_dropTransactions', false);
  expect(await endOf(third.id)).toMatchObject({ status: 'Confirmed' });
});

test('a transfer ends if its blockhash expires before it is included, and nothing is spent', async () => {
  await bank('strongroom_dropTransactions', true);
  const before = await assets();
  const { id } = await send(admin, wallet.id, { to: recipient, amount: '9000000' });
  const cancel = await admin.change('POST', `/wallets/${wallet.id}/transfers/${id}/cancel`);
  expect(cancel).toMatchObject({
    status: 409,
    body: { error: { id: 'WrongState', message: expect.stringContaining('expires') } },
  });
  await bank('strongroom_advanceSlots', 250);
  await bank('strongroom_dropTransactions', false);
  const end = await ended(admin, wallet.id, id);
  expect(end).toMatchObject({ status: 'Failed', reason: expect.stringContaining('expired') });
  expect(await assets()).toEqual(before);
});

test('if all processes die between signature and broadcast, the same bytes are sent afterwards, and only once', async () => {
  const balance = async () => ((await bank('getBalance', recipient)) as { readonly value: number }).value;
  const before = await balance();
  await bank('strongroom_refuseTransactions', true);
  const { id } = await send(admin, wallet.id, { to: recipient, amount: '5000000', useDurableNonce: true });
  const [signature] = await waitUntil('the signed bytes', async () => {
    const refused = (await bank('strongroom_refuseTransactions', true)) as readonly string[];
    return refused.length > 0 && refused;
  });
  await service.stop('SIGKILL');
  await service.start();
  admin = service.client('admin');
  expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Confirmed', txHash: signature });
  expect(await balance()).toBe(before + 5_000_000);
});

test('after all the tests above, the log, the rows and the chain agree', async () => {
  await bank('strongroom_advanceSlots', 40);
  const { code, output } = await run([join(SCRIPTS, 'operator.mjs'), 'reconcile'], service.env);
  expect(output).not.toMatch(/^(?!Compared).*SolanaDevnet/m);
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining('Compared') });
});
