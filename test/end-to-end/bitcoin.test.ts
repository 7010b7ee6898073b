import { secp256k1 } from '@noble/curves/secp256k1.js';
import { RawTx, Transaction } from '@scure/btc-signer';
import { utxoCodecOf } from '../../chains/codecs';
import { freePort } from '../../local/free-port';
import type { Client } from '../support/client';
import { askCoinNode } from '../support/coin-chain';
import { createService, type Service } from '../support/service';
import { confirmedHistory, ended, ok, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { startWebhookSink } from '../support/webhook-sink';

jest.setTimeout(240_000);

type Name = 'BitcoinSignet' | 'LitecoinTestnet' | 'BitcoinCashTestnet';

/** The secret key of another party, which signs outside the service. */
const SECRET = new Uint8Array(32).fill(9);
const codec = utxoCodecOf('BitcoinSignet');

let service: Service;
let admin: Client;
const urls: Partial<Record<Name, string>> = {};

beforeAll(async () => {
  const [bitcoin, litecoin, cash] = [await freePort(), await freePort(), await freePort()];
  urls.BitcoinSignet = `http://127.0.0.1:${bitcoin}`;
  urls.LitecoinTestnet = `http://127.0.0.1:${litecoin}`;
  urls.BitcoinCashTestnet = `http://127.0.0.1:${cash}`;
  const ports = { BITCOIN_PORT: String(bitcoin), LITECOIN_PORT: String(litecoin), BITCOINCASH_PORT: String(cash) };
  service = await createService({ LOCAL_NETWORKS: 'bitcoin,litecoin,bitcoincash', ...ports });
  await service.start();
  admin = service.client('admin');
});
afterAll(() => service?.close());
afterEach(async () => {
  await node('BitcoinSignet', 'strongroom_setFeeRate', [null]);
  for (const network of ['BitcoinSignet', 'LitecoinTestnet'] as const) await node(network, 'strongroom_setMining', [true]);
});

const node = <T>(network: Name, method: string, params: readonly unknown[] = []) =>
  askCoinNode<T>(urls[network] ?? '', method, params);

const balanceOf = async (walletId: string): Promise<bigint> => {
  const { assets } = ok(await admin.get(`/wallets/${walletId}/assets`)) as { assets: { balance: string }[] };
  return BigInt(assets[0]?.balance ?? '0');
};

/** A wallet with this number of confirmed outputs, each worth 1 BTC or 1 LTC. */
async function fundedWallet(network: Name, coins = 1, more: Readonly<Record<string, unknown>> = {}): Promise<WalletBody> {
  const wallet = ok(await admin.change('POST', '/wallets', { network, ...more })) as WalletBody;
  for (let coin = 0; coin < coins; coin += 1) await node(network, 'strongroom_fund', [wallet.address, '1']);
  await waitUntil('the funds', async () => (await balanceOf(wallet.id)) === BigInt(coins) * 100_000_000n, 60_000);
  return wallet;
}

const pay = (wallet: WalletBody, to: string, amount: string) =>
  admin.change('POST', `/wallets/${wallet.id}/transfers`, { kind: 'Native', to, amount });

/** The inputs of a transaction as the node's wallet remembers them, even after the transaction was replaced. */
const inputsOf = async (network: Name, txHash: string | undefined) => {
  const { hex } = await node<{ hex: string }>(network, 'gettransaction', [txHash]);
  const { vin } = await node<{ vin: { txid: string; vout: number }[] }>(network, 'decoderawtransaction', [hex]);
  return vin.map(({ txid, vout }) => `${txid}:${vout}`);
};

test.each<[Name, RegExp, Readonly<Record<string, unknown>>]>([
  ['BitcoinSignet', /^tb1q/, {}],
  ['BitcoinSignet', /^tb1p/, { signingKey: { scheme: 'Schnorr' } }],
  ['LitecoinTestnet', /^tltc1q/, {}],
  ['BitcoinCashTestnet', /^bchtest:q/, {}],
])('on %s a wallet with an address like %s pays and gets its change', async (network, form, more) => {
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
  const sides = { kind: 'UtxoTransfer', froms: [wallet.address], tos: [other.address], value: '1000000' };
  expect(await confirmedHistory(admin, wallet, 2)).toEqual([
    expect.objectContaining({ ...sides, direction: 'Out', fee: transfer.fee }),
    expect.objectContaining({ direction: 'In', tos: [wallet.address], value: '100000000' }),
  ]);
  expect(await confirmedHistory(admin, other, 1)).toEqual([expect.objectContaining({ ...sides, direction: 'In' })]);
  const { scan } = ok(await admin.get(`/networks/${network}/scan`)) as { scan: object };
  expect(scan).toMatchObject({ isComplete: true, lastProof: 'Root', withoutRoot: 0, withoutTraces: 0 });
});

test('three simultaneous transfers from a wallet with two coins never share a coin; the third spends the change of another one', async () => {
  const wallet = await fundedWallet('BitcoinSignet', 2);
  const amounts = ['60000000', '60000000', '30000000'];
  const answers = await Promise.all(amounts.map((amount) => pay(wallet, 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', amount)));
  const ends = await Promise.all(answers.map((answer) => ended(admin, wallet.id, (ok(answer) as TransferBody).id)));
  expect(ends.map(({ status }) => status)).toEqual(['Confirmed', 'Confirmed', 'Confirmed']);
  const spent = (await Promise.all(ends.map(({ txHash }) => inputsOf('BitcoinSignet', txHash)))).flat();
  expect(new Set(spent).size).toBe(spent.length);
});

test('in a reorganisation of three blocks, no transfer is lost and none is sent twice', async () => {
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

test('S14: if a final block leaves the chain, the Confirmed status is reversed and reported, and the same bytes confirm again', async () => {
  const sink = await startWebhookSink();
  try {
    ok(await admin.change('POST', '/webhooks', { url: sink.url, events: ['wallet.transfer.reversed'] }));
    const wallet = await fundedWallet('BitcoinSignet');
    const { id } = ok(await pay(wallet, wallet.address, '6000')) as TransferBody;
    const { txHash } = await ended(admin, wallet.id, id);
    await node('BitcoinSignet', 'strongroom_setMining', [false]);
    const { blockhash, confirmations } = await node<{ blockhash: string; confirmations: number }>(
      'BitcoinSignet',
      'gettransaction',
      [txHash],
    );
    expect(confirmations).toBeGreaterThanOrEqual(3);
    await node('BitcoinSignet', 'invalidateblock', [blockhash]);
    for (let block = 0; block <= confirmations; block += 1) await node('BitcoinSignet', 'generateblock', ['raw(51)', []]);
    await waitUntil('the reversal to be reported', () => sink.deliveries.some(({ raw }) => raw.includes(id)), 60_000);
    const reversed = ok(await admin.get(`/wallets/${wallet.id}/transfers/${id}`));
    expect(reversed).toMatchObject({ status: 'Broadcasted', txHash, reason: expect.stringMatching(/reorganisation/) });
    await node('BitcoinSignet', 'strongroom_setMining', [true]);
    expect(await ended(admin, wallet.id, id)).toMatchObject({ status: 'Confirmed', txHash });
    expect(sink.deliveries.map(({ envelope }) => envelope.kind)).toEqual(['wallet.transfer.reversed']);
  } finally {
    await sink.close();
  }
});

test('a transfer that cannot be sent is refused with its field before anything is stored', async () => {
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

/** A PSBT that spends coins on the chain, as an external wallet creates it. The fee is 1,000 units. */
async function psbtOf(
  from: readonly { readonly txid: string; readonly script: string }[],
  to: readonly string[],
  change: string,
) {
  const tx = new Transaction({ allowUnknownInputs: true, disableScriptCheck: true, PSBTVersion: 0 });
  let total = 0n;
  for (const { txid, script } of from) {
    const { hex } = await node<{ hex: string }>('BitcoinSignet', 'getrawtransaction', [txid, true]);
    const { outputs } = RawTx.decode(Buffer.from(hex, 'hex'));
    const index = outputs.findIndex((output) => Buffer.from(output.script).toString('hex') === script);
    tx.addInput({
      txid,
      index,
      nonWitnessUtxo: Buffer.from(hex, 'hex'),
      ...(outputs[index] ? { witnessUtxo: outputs[index] } : {}),
    });
    total += outputs[index]?.amount ?? 0n;
  }
  const scriptOf = (address: string) => Buffer.from(codec.scriptOf(address), 'hex');
  for (const address of to) tx.addOutput({ script: scriptOf(address), amount: 2_000_000n });
  tx.addOutput({ script: scriptOf(change), amount: total - BigInt(to.length) * 2_000_000n - 1_000n });
  return tx;
}
const hexOf = (tx: Transaction) => `0x${Buffer.from(tx.toPSBT(0)).toString('hex')}`;

type Signed = { readonly id: string; readonly txHash: string; readonly details: { readonly transaction: string } };

test('a PSBT with signed coins of another party is sent and pays several recipients; a repeated request returns the same row', async () => {
  const wallet = ok(await admin.change('POST', '/wallets', { network: 'BitcoinSignet' })) as WalletBody;
  const other = codec.addressOf(Buffer.from(secp256k1.getPublicKey(SECRET)).toString('hex'));
  const paid = ['tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx', 'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7'];
  const coins: { txid: string; script: string }[] = [];
  for (const address of [wallet.address, wallet.address, other])
    coins.push({ txid: await node<string>('BitcoinSignet', 'strongroom_fund', [address, '1']), script: codec.scriptOf(address) });
  await waitUntil('the funds', async () => (await balanceOf(wallet.id)) === 200_000_000n, 60_000);
  const send = (psbt: string, more: object = {}) =>
    admin.change('POST', `/wallets/${wallet.id}/transactions`, { kind: 'Psbt', psbt, ...more });

  const unsigned = await psbtOf(coins, paid, wallet.address);
  expect(await send(hexOf(unsigned))).toMatchObject({ status: 400 });
  unsigned.signIdx(SECRET, 2);
  const psbt = hexOf(unsigned);
  const sent = ok(await send(psbt, { externalId: 'psbt-1' })) as TransferBody;
  const confirmed = await waitUntil('the block', async () => {
    const now = ok(await admin.get(`/wallets/${wallet.id}/transactions/${sent.id}`)) as TransferBody;
    return now.status === 'Confirmed' && now;
  });
  expect(confirmed).toMatchObject({ fee: '1000', txHash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(await inputsOf('BitcoinSignet', confirmed.txHash)).toHaveLength(3);
  expect(await balanceOf(wallet.id)).toBe(300_000_000n - 4_000_000n - 1_000n);
  expect(ok(await send(psbt, { externalId: 'psbt-1' }))).toMatchObject({ id: sent.id, status: 'Confirmed' });
  expect(await send(psbt)).toMatchObject({ status: 409 });

  // The coins of a signed PSBT are not used for any other request, and a node accepts the returned transaction.
  const alone = await psbtOf(
    [{ txid: confirmed.txHash ?? '', script: codec.scriptOf(wallet.address) }],
    paid.slice(0, 1),
    wallet.address,
  );
  const signatures = `/wallets/${wallet.id}/signatures`;
  const sign = async (tx: Transaction) => ok(await admin.change('POST', signatures, { kind: 'Psbt', psbt: hexOf(tx) })) as Signed;
  const signed = await sign(alone);
  expect(await send(hexOf(alone))).toMatchObject({ status: 409 });
  const txid = await node<string>('BitcoinSignet', 'sendrawtransaction', [signed.details.transaction.slice(2)]);
  expect(txid).toBe(signed.txHash);
  expect(await send(hexOf(alone))).toMatchObject({ status: 409 });

  // A cancellation frees the coin of a PSBT that was never sent, and nodes then refuse the signed transaction.
  const kept = await psbtOf([{ txid, script: codec.scriptOf(wallet.address) }], paid.slice(0, 1), wallet.address);
  const unsent = await sign(kept);
  const none = ok(await admin.change('POST', `${signatures}/${unsent.id}/cancel`)) as TransferBody;
  const read = async () => ok(await admin.get(`/wallets/${wallet.id}/transactions/${none.id}`)) as TransferBody;
  await waitUntil('the cancellation', async () => (await read()).status === 'Confirmed');
  const late = node('BitcoinSignet', 'sendrawtransaction', [unsent.details.transaction.slice(2)]);
  await expect(late).rejects.toThrow('bad-txns-inputs-missingorspent');
});

test('if the service stops between request and block, nothing is lost: the same bytes are sent after the restart', async () => {
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

const RECIPIENTS = {
  BitcoinSignet: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  LitecoinTestnet: 'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0',
};
/** A wallet with a transfer of 0.01 that the node has received but does not mine. */
async function stuck(network: keyof typeof RECIPIENTS) {
  const wallet = await fundedWallet(network);
  await node(network, 'strongroom_setMining', [false]);
  const { id } = ok(await pay(wallet, RECIPIENTS[network], '1000000')) as TransferBody;
  const at = `/wallets/${wallet.id}/transfers/${id}`;
  const first = await waitUntil('the broadcast', async () => {
    const transfer = ok(await admin.get(at)) as TransferBody;
    return transfer.status === 'Broadcasted' && transfer;
  });
  return { wallet, first, at };
}
type Rival = TransferBody & { readonly replacementId?: string };
const replace = async (at: string, verb: 'cancel' | 'speed-up') => {
  const { id } = ok(await admin.change('POST', `${at}/${verb}`)) as Rival;
  const [, , walletId, , replacementId] = at.split('/');
  return waitUntil('the replacement', async () => {
    const rival = ok(await admin.get(`/wallets/${walletId}/transactions/${id}`)) as Rival;
    expect(rival.replacementId).toBe(replacementId);
    return rival.status === 'Broadcasted' && rival;
  });
};
const endOf = (wallet: WalletBody, id: string) =>
  waitUntil(
    `the end of ${id}`,
    async () => {
      const shown = ok(await admin.get(`/wallets/${wallet.id}/transactions/${id}`)) as Rival;
      return ['Confirmed', 'Failed', 'Rejected'].includes(shown.status) && shown;
    },
    90_000,
  );

test('a stuck transfer is sped up twice, each time with the same coin, and is paid once', async () => {
  const network = 'BitcoinSignet';
  const { wallet, first, at } = await stuck(network);
  const faster = await replace(at, 'speed-up');
  expect(await admin.change('POST', `${at}/speed-up`)).toMatchObject({ status: 409, body: { error: { id: 'WrongState' } } });
  const fastest = await replace(`/wallets/${wallet.id}/transactions/${faster.id}`, 'speed-up');
  const coin = await inputsOf(network, fastest.txHash);
  expect([await inputsOf(network, first.txHash), await inputsOf(network, faster.txHash)]).toEqual([coin, coin]);
  await node(network, 'strongroom_setMining', [true]);
  const { fee, status } = await endOf(wallet, fastest.id);
  expect([status, (await endOf(wallet, faster.id)).status]).toEqual(['Confirmed', 'Failed']);
  expect(await ended(admin, wallet.id, first.id)).toMatchObject({
    status: 'Failed',
    reason: `Replaced: ${fastest.id} was included in its place as ${fastest.txHash}`,
    replacementId: faster.id,
  });
  expect(await balanceOf(wallet.id)).toBe(99_000_000n - BigInt(fee ?? '0'));
});

test('the service itself speeds up a transfer that pays too little, with the same coin, and the transfer is paid once', async () => {
  const network = 'BitcoinSignet';
  const { wallet, first } = await stuck(network);
  await node(network, 'strongroom_setFeeRate', [0.00004]);
  type Shown = Rival & { readonly details?: { readonly madeByService?: boolean } };
  const helper = await waitUntil(
    'the speed-up',
    async () => {
      await node(network, 'generateblock', ['raw(51)', []]); // Miners would not include a transaction with so low a fee.
      const { items } = ok(await admin.get(`/wallets/${wallet.id}/transactions`)) as { readonly items: readonly Shown[] };
      return items.find(({ status }) => status === 'Broadcasted');
    },
    90_000,
  );
  expect(helper).toMatchObject({ replacementId: first.id, details: { madeByService: true } });
  expect(await inputsOf(network, helper.txHash)).toEqual(await inputsOf(network, first.txHash));
  await node(network, 'strongroom_setMining', [true]);
  const { status, fee } = await endOf(wallet, helper.id);
  expect([status, (await ended(admin, wallet.id, first.id)).status]).toEqual(['Confirmed', 'Failed']);
  expect(await balanceOf(wallet.id)).toBe(99_000_000n - BigInt(fee ?? '0'));
});

test('on Litecoin, where nodes do not replace transactions, a child transaction speeds up a transfer, and one block includes both', async () => {
  const network = 'LitecoinTestnet';
  const { at, wallet, first } = await stuck(network);
  expect(await admin.change('POST', `${at}/cancel`)).toMatchObject({ status: 400, body: { error: { id: 'NetworkNotEnabled' } } });
  type Waiting = { readonly ancestorsize: number; readonly fees: { readonly base: number; readonly ancestor: number } };
  const alone = await node<Waiting>(network, 'getmempoolentry', [first.txHash]);
  const { id } = ok(await admin.change('POST', `${at}/speed-up`)) as Rival;
  const child = await waitUntil('the child', async () => {
    const now = ok(await admin.get(`/wallets/${wallet.id}/transactions/${id}`)) as Rival;
    return now.status === 'Broadcasted' && now;
  });
  expect(child).toMatchObject({ requestBody: { kind: 'SpeedUpTransaction' }, details: { paysFor: first.id } });
  expect(ok(await admin.get(at))).toMatchObject({ status: 'Broadcasted', details: { paidForBy: id } });
  expect(await admin.change('POST', `${at}/speed-up`)).toMatchObject({ status: 409, body: { error: { id: 'WrongState' } } });
  const together = await node<Waiting>(network, 'getmempoolentry', [child.txHash]);
  const rateOf = ({ ancestorsize, fees }: Waiting) => (fees.ancestor * 1e8) / ancestorsize;
  expect(together.fees.ancestor).toBeCloseTo(together.fees.base + alone.fees.base, 8);
  // The fee rate of the pair rises by one unit per byte, the minimum relay rate of this network.
  expect(rateOf(together)).toBeGreaterThanOrEqual(rateOf(alone) + 1);
  await node(network, 'strongroom_setMining', [true]);
  const [paid, helped] = [await endOf(wallet, id), await ended(admin, wallet.id, first.id)];
  expect([paid.status, helped.status]).toEqual(['Confirmed', 'Confirmed']);
  const blocks = [paid.txHash, helped.txHash].map((txHash) => node<{ blockhash: string }>(network, 'gettransaction', [txHash]));
  const [one, other] = await Promise.all(blocks);
  expect(one?.blockhash).toBe(other?.blockhash);
  expect(await balanceOf(wallet.id)).toBe(99_000_000n - BigInt(paid.fee ?? '0') - BigInt(helped.fee ?? '0'));
});

test('a stuck transfer is cancelled: its whole amount returns, and only then does the next transfer spend it', async () => {
  const { wallet, first, at } = await stuck('BitcoinSignet');
  const none = await replace(at, 'cancel');
  const { id } = ok(await pay(wallet, RECIPIENTS.BitcoinSignet, '5000')) as TransferBody;
  await node('BitcoinSignet', 'strongroom_setMining', [true]);
  expect(await endOf(wallet, none.id)).toMatchObject({ status: 'Confirmed' });
  expect(await ended(admin, wallet.id, first.id)).toMatchObject({ status: 'Failed' });
  const next = await ended(admin, wallet.id, id);
  expect(next).toMatchObject({ status: 'Confirmed' });
  expect(await inputsOf('BitcoinSignet', next.txHash)).toEqual([`${none.txHash}:0`]);
});

test('a transfer is not cancelled while another transfer spends its change', async () => {
  const { wallet, at } = await stuck('BitcoinSignet');
  const { id } = ok(await pay(wallet, RECIPIENTS.BitcoinSignet, '5000')) as TransferBody;
  const answer = await admin.change('POST', `${at}/cancel`);
  expect(answer).toMatchObject({ status: 409, body: { error: { id: 'WrongState' } } });
  expect(JSON.stringify(answer.body)).toContain(id);
});

test('a reorganisation removes the block with a cancellation, and the cancelled transfer confirms after all', async () => {
  const network = 'BitcoinSignet';
  const { wallet, first, at } = await stuck(network);
  const raw = await node<string>(network, 'getrawtransaction', [first.txHash]);
  const none = await replace(at, 'cancel');
  await node(network, 'strongroom_mine', [1]);
  const noted = await waitUntil('the note of the block', async () => {
    const answer = await admin.change('POST', `/wallets/${wallet.id}/transactions/${none.id}/cancel`);
    return JSON.stringify(answer.body).includes('already in a block') && answer;
  });
  expect(noted.status).toBe(409);
  await node(network, 'invalidateblock', [await node(network, 'getbestblockhash')]);
  await node(network, 'generateblock', ['raw(51)', [raw]]);
  await node(network, 'strongroom_mine', [1]);
  await node(network, 'strongroom_setMining', [true]);
  const { status, fee } = await ended(admin, wallet.id, first.id);
  expect(status).toBe('Confirmed');
  expect(await endOf(wallet, none.id)).toMatchObject({
    status: 'Failed',
    reason: `Replaced: ${first.id} was included in its place as ${first.txHash}`,
  });
  expect(await balanceOf(wallet.id)).toBe(99_000_000n - BigInt(fee ?? '0'));
});
