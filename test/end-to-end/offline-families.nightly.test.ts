import { RawTx, Transaction } from '@scure/btc-signer';
import { evmCodecOf, solanaCodecOf, utxoCodecOf } from '../../chains/codecs';
import { freePort } from '../../local/free-port';
import { Vouch } from '../../platform/fleets/vouches';
import { keyOf } from '../local/solana/tokens';
import { type Installation, type Office, startInstallation } from '../red-team/installation';
import { askCoinNode } from '../support/coin-chain';
import { type Archive, createOfflineDesk, type OfflineDesk, requestsIn } from '../support/offline-desk';
import { ended, ok, RECIPIENT, send, TEN_ETHER, type TransferBody, type WalletBody } from '../support/story';
import { waitUntil } from '../support/wait-until';

jest.setTimeout(400_000);

const NETWORKS = { evm: 'EthereumSepolia', utxo: 'BitcoinSignet', solana: 'SolanaDevnet' } as const;
type Name = keyof typeof NETWORKS;
const FAMILIES = Object.keys(NETWORKS) as Name[];
const COIN_ADDRESS = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx';
const PAID = {
  evm: { to: RECIPIENT, amount: '1234' },
  utxo: { to: COIN_ADDRESS, amount: '2000000' },
  solana: { to: keyOf(2).address, amount: '1000000' },
} as const satisfies Record<Name, object>;
/** 20 transfers, each with a nonce, coin or durable nonce of its own. */
const COUNTS = { evm: 8, utxo: 6, solana: 6 } as const satisfies Record<Name, number>;
/** One coin for each transfer, and some for the tests after. */
const COINS = COUNTS.utxo + 4;
const SOL = 1_000_000_000;
const codec = utxoCodecOf(NETWORKS.utxo);

let installation: Installation;
let office: Office;
let desk: OfflineDesk;
let wallets: Readonly<Record<Name, WalletBody & { readonly signingKey: { readonly id: string } }>>;
const urls = { utxo: '', solana: '' };

const coinNode = <T>(method: string, ...params: readonly unknown[]) => askCoinNode<T>(urls.utxo, method, params);
const evmNode = (method: string, ...params: readonly unknown[]) =>
  askNode(`http://127.0.0.1:${installation.ports.chain}`, method, params);
const bank = <T>(method: string, ...params: readonly unknown[]) => askNode<T>(urls.solana, method, params);

beforeAll(async () => {
  const [coins, slots] = [await freePort(), await freePort()];
  Object.assign(urls, { utxo: `http://127.0.0.1:${coins}`, solana: `http://127.0.0.1:${slots}` });
  const ports = { BITCOIN_PORT: String(coins), SOLANA_PORT: String(slots) };
  installation = await startInstallation({ LOCAL_NETWORKS: 'bitcoin,solana', ...ports });
  office = await installation.createOffice('december');
  desk = await createOfflineDesk(installation, office);
  const { files, groupId } = await desk.genesisFiles({ numSecp256k1: 3, numEd25519: 2 });
  ok(await desk.submit('genesis/output', files));
  await desk.approve(groupId);
  const made: Partial<Record<Name, unknown>> = {};
  for (const family of FAMILIES) made[family] = await newWallet(family);
  wallets = made as typeof wallets;
  await evmNode('anvil_setBalance', wallets.evm.address, TEN_ETHER);
  for (let coin = 0; coin < COINS; coin += 1) await coinNode('strongroom_fund', wallets.utxo.address, '0.1');
  await bank('requestAirdrop', wallets.solana.address, SOL);
  await bank('strongroom_advanceSlots', 8);
}, 400_000);
afterAll(async () => {
  await installation?.close();
  desk?.close();
});

const newWallet = async (family: Name, storeId = desk.storeId) => {
  const body = { network: NETWORKS[family], signingKey: { storeId } };
  return ok(await office.ada.client.change('POST', '/wallets', body)) as (typeof wallets)[Name];
};

const balanceOf = async ({ id }: WalletBody): Promise<bigint> => {
  const { assets } = ok(await office.ada.client.get(`/wallets/${id}/assets`)) as { assets: { balance: string }[] };
  return BigInt(assets[0]?.balance ?? '0');
};

const pay = (family: Name, more: object = {}) => send(office.ada.client, wallets[family].id, { ...PAID[family], ...more });
const stageOf = async (family: Name, id: string) =>
  (ok(await office.ada.client.get(`/wallets/${wallets[family].id}/transfers/${id}/explain`)) as { readonly stage: string }).stage;

async function askNode<T>(url: string, method: string, params: readonly unknown[]): Promise<T> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  const { result, error } = (await response.json()) as { result: T; error?: { readonly message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

/** A transfer that waits for the device. */
async function waiting(family: Name, more: object = {}): Promise<TransferBody> {
  const sent = await pay(family, more);
  expect(sent).toMatchObject({ status: 'Executing' });
  await waitUntil(`${sent.id} to wait`, async () => (await stageOf(family, sent.id)) === 'OfflineSigning', 60_000);
  return sent;
}
const end = (family: Name, { id }: TransferBody) => ended(office.ada.client, wallets[family].id, id);

async function createNonces(maker: WalletBody, count: number): Promise<void> {
  const body = { kind: 'CreateSolanaNonceAccounts', nonceAuthority: wallets.solana.address, count };
  const path = `/wallets/${maker.id}/transactions`;
  const made = ok(await office.ada.client.change('POST', path, body)) as TransferBody;
  const isMade = async () => (ok(await office.ada.client.get(`${path}/${made.id}`)) as TransferBody).status === 'Confirmed';
  await waitUntil('the nonce accounts', isMade, 60_000);
}

test('a Solana wallet of the store gets its nonce accounts from a wallet of the software store', async () => {
  const path = `/wallets/${wallets.solana.id}`;
  const refused = await office.ada.client.change('POST', `${path}/transfers`, { kind: 'Native', ...PAID.solana });
  expect(refused).toMatchObject({
    status: 400,
    body: {
      error: {
        details: { issues: [{ path: 'body.useDurableNonce', message: expect.stringContaining(wallets.solana.address) }] },
      },
    },
  });
  const creation = { kind: 'CreateSolanaNonceAccounts' };
  expect(await office.ada.client.change('POST', `${path}/transactions`, creation)).toMatchObject({ status: 400 });

  const maker = await newWallet('solana', 'software');
  await bank('requestAirdrop', maker.address, SOL);
  await bank('strongroom_advanceSlots', 8);
  const stranger = { ...creation, nonceAuthority: keyOf(9).address };
  expect(await office.ada.client.change('POST', `/wallets/${maker.id}/transactions`, stranger)).toMatchObject({ status: 400 });
  await createNonces(maker, 4);
  await createNonces(maker, COUNTS.solana - 4);
});

test('one group signs 20 transfers of three families, and all of them confirm', async () => {
  await waitUntil('the coins', async () => (await balanceOf(wallets.utxo)) === BigInt(COINS) * 10_000_000n, 60_000);
  const sent: { readonly family: Name; readonly transfer: TransferBody }[] = [];
  for (const family of FAMILIES) {
    for (let one = 0; one < COUNTS[family]; one += 1) {
      const amount = String(BigInt(PAID[family].amount) + BigInt(one));
      sent.push({ family, transfer: await waiting(family, { amount }) });
    }
  }
  const archive = await desk.collect();
  expect(
    requestsIn(archive)
      .map(({ requestId }) => requestId)
      .sort(),
  ).toEqual(sent.map(({ transfer }) => transfer.id).sort());
  expect(await desk.accept(await desk.sign(archive))).toEqual({ status: 'success' });
  const ends = await Promise.all(sent.map(({ family, transfer }) => end(family, transfer)));
  expect(ends.map(({ status }) => status)).toEqual(sent.map(() => 'Confirmed'));
});

test('a request that the people at the device refuse waits for the next group, and the others of its group confirm', async () => {
  const transfers: TransferBody[] = [];
  for (const family of FAMILIES) transfers.push(await waiting(family));
  const archive = await desk.collect();
  const position = requestsIn(archive).findIndex(({ requestId }) => requestId === transfers[1]?.id);
  expect(await desk.accept(await desk.sign(archive, [position]))).toEqual({ status: 'partial' });
  const [evm, utxo, solana] = transfers as [TransferBody, TransferBody, TransferBody];
  expect(await end('evm', evm)).toMatchObject({ status: 'Confirmed' });
  expect(await end('solana', solana)).toMatchObject({ status: 'Confirmed' });
  expect(await stageOf('utxo', utxo.id)).toBe('OfflineSigning');
  const next = await desk.collect();
  expect(requestsIn(next).map(({ requestId }) => requestId)).toEqual([utxo.id]);
  expect(await desk.accept(await desk.sign(next))).toEqual({ status: 'success' });
  expect(await end('utxo', utxo)).toMatchObject({ status: 'Confirmed' });
});

const setMining = async (on: boolean) => {
  await coinNode('strongroom_setMining', on);
  await bank('strongroom_dropTransactions', !on);
  await evmNode('strongroom_setMining', on);
};
type Shown = TransferBody & { readonly requestBody: { readonly kind: string } };
const replace = async (family: Name, { id }: TransferBody, verb: 'cancel' | 'speed-up') =>
  ok(await office.ada.client.change('POST', `/wallets/${wallets[family].id}/transfers/${id}/${verb}`)) as Shown;
const shownOf = async (family: Name, { id }: Shown) =>
  ok(await office.ada.client.get(`/wallets/${wallets[family].id}/transactions/${id}`)) as Shown;
const statusOf = (family: Name, shown: Shown, status: string) =>
  waitUntil(`${shown.id} to be ${status}`, async () => (await shownOf(family, shown)).status === status, 90_000);
const collected = (requests: number) =>
  waitUntil('the requests', async () => {
    const rows = await installation.asOwnerOfAll(
      `SELECT 1 FROM offline_requests o JOIN transfers t ON t.id = o.request_id WHERE o.signatures IS NULL AND t.state = 'Signing'`,
    );
    return rows.length === requests;
  });

type Output = {
  readonly outputs: Readonly<
    Record<string, { readonly result: { readonly success?: Readonly<Record<string, { readonly signature: string }>> } }>
  >;
};

/** The signed bytes of the request, from the output of a device. */
async function rawOf(family: Name, archive: Archive, output: Output, { id }: TransferBody): Promise<string> {
  const request = requestsIn(archive).find(({ requestId }) => requestId === id);
  const success = output.outputs[request?.operationId ?? '']?.result.success ?? {};
  const signatures = Object.values(success).map(({ signature }) => signature);
  const [first = ''] = signatures;
  const [row] = await installation.asOwnerOfAll('SELECT unsigned_hex AS hex FROM payloads WHERE transfer_id = $1', [id]);
  const bytesHex: string = row?.['hex'] ?? '';
  const unsigned = { bytesHex, digestHex: '0x', maxFeeUnits: 0n };
  const halves = (hex: string) => ({ r: `0x${hex.slice(0, 64)}`, s: `0x${hex.slice(64)}` }) as const;
  const { address } = wallets[family];
  if (family === 'solana') return solanaCodecOf(NETWORKS.solana).attach(unsigned, `0x${first}`, address).rawHex;
  if (family === 'utxo') return codec.attach(unsigned, signatures.map(halves), request?.key.publicKey ?? '').rawHex;
  const either = ([0, 1] as const).map((recoveryId) => {
    try {
      return evmCodecOf(NETWORKS.evm).attach(unsigned as never, { ...halves(first), recoveryId } as never, address).rawHex;
    } catch {
      return undefined;
    }
  });
  return either.find((raw) => raw !== undefined) ?? '';
}

const sendRaw: Readonly<Record<Name, (raw: string) => Promise<unknown>>> = {
  evm: (raw) => evmNode('eth_sendRawTransaction', raw),
  utxo: (raw) => coinNode('sendrawtransaction', raw.replace(/^0x/, '')),
  solana: (raw) => bank('sendTransaction', Buffer.from(raw.slice(2), 'hex').toString('base64'), { encoding: 'base64' }),
};

test('an archive that is signed long after its payments were cancelled conflicts with the cancellations, on every family', async () => {
  const transfers = {} as Record<Name, TransferBody>;
  for (const family of FAMILIES) transfers[family] = await waiting(family);
  const old = await desk.collect();
  const other = await desk.copyOfDevice();
  const late = JSON.parse((await other.sign(old))['output.json'] ?? '') as Output;
  for (const family of FAMILIES) {
    const path = `/wallets/${wallets[family].id}/transfers/${transfers[family].id}`;
    expect(await office.ada.client.change('PUT', `${path}/abort`, {})).toMatchObject({ status: 409 });
  }
  const cancelGroup = { groupId: old.input.groupId, reason: 'The medium was lost' };
  ok(await office.ada.client.change('POST', desk.at('fleet-operations/cancel'), cancelGroup));
  const cancellations = {} as Record<Name, Shown>;
  for (const family of FAMILIES) cancellations[family] = await replace(family, transfers[family], 'cancel');
  await collected(2 * FAMILIES.length);

  // The cancelled payments never enter another archive.
  const next = await desk.collect();
  const ids = (archive: Archive) => requestsIn(archive).map(({ requestId }) => requestId);
  expect(ids(next).sort()).toEqual(
    Object.values(cancellations)
      .map(({ id }) => id)
      .sort(),
  );
  const claimsOf = (archive: Archive, id: string) =>
    Vouch.parse(JSON.parse(requestsIn(archive).find(({ requestId }) => requestId === id)?.vouched.vouch ?? '')).claims;
  for (const family of FAMILIES)
    expect(claimsOf(next, cancellations[family].id)).toEqual(expect.arrayContaining(claimsOf(old, transfers[family].id)));
  expect(await desk.accept(await desk.sign(next))).toEqual({ status: 'success' });
  for (const family of FAMILIES) {
    await statusOf(family, cancellations[family], 'Confirmed');
    expect(await end(family, transfers[family])).toMatchObject({ status: 'Failed', reason: expect.stringMatching(/^Replaced/) });
  }
  for (const family of FAMILIES) {
    const raw = await rawOf(family, old, late, transfers[family]);
    expect(raw).toMatch(/^(0x)?[0-9a-f]{100,}$/);
    await expect(sendRaw[family](raw)).rejects.toThrow();
  }
  // This device has signed the cancellations, so it refuses the old archive by itself.
  const again = JSON.parse((await desk.sign(old))['output.json'] ?? '') as { outputs: Record<string, unknown> };
  const refusal = { result: { fail: expect.objectContaining({ code: 'ClaimTaken' }) } };
  expect(Object.values(again.outputs)).toEqual(FAMILIES.map(() => expect.objectContaining(refusal)));
});

test('a stuck payment of each family is sped up with a second signature of the device, and money moves once', async () => {
  const transfers = {} as Record<Name, TransferBody>;
  for (const family of FAMILIES) transfers[family] = await waiting(family);
  await setMining(false);
  try {
    expect(await desk.accept(await desk.sign(await desk.collect()))).toEqual({ status: 'success' });
    const faster = {} as Record<Name, Shown>;
    for (const family of FAMILIES) {
      const { id } = transfers[family];
      const path = `/wallets/${wallets[family].id}/transfers/${id}`;
      const isSent = async () => (ok(await office.ada.client.get(path)) as TransferBody).status === 'Broadcasted';
      await waitUntil(`${id} to be sent`, isSent, 60_000);
      faster[family] = await replace(family, transfers[family], 'speed-up');
    }
    await collected(FAMILIES.length);
    expect(await desk.accept(await desk.sign(await desk.collect()))).toEqual({ status: 'success' });
    for (const family of FAMILIES) await statusOf(family, faster[family], 'Broadcasted');
    await setMining(true);
    for (const family of FAMILIES) {
      const [first, second] = [await end(family, transfers[family]), faster[family]];
      const won = first.status === 'Confirmed' ? 'Failed' : 'Confirmed';
      await statusOf(family, second, won);
    }
  } finally {
    await setMining(true);
  }
});

/** An unsigned PSBT that spends a new coin of the wallet. */
async function psbtOf(address: string): Promise<string> {
  const txid = await coinNode<string>('strongroom_fund', address, '0.2');
  const { hex } = await coinNode<{ hex: string }>('getrawtransaction', txid, true);
  const { outputs } = RawTx.decode(Buffer.from(hex, 'hex'));
  const index = outputs.findIndex(({ script }) => Buffer.from(script).toString('hex') === codec.scriptOf(address));
  const tx = new Transaction({ PSBTVersion: 0 });
  const coin = outputs[index];
  if (coin === undefined) throw new Error('the node funded another address');
  tx.addInput({ txid, index, nonWitnessUtxo: Buffer.from(hex, 'hex'), witnessUtxo: coin });
  const scriptOf = (to: string) => Buffer.from(codec.scriptOf(to), 'hex');
  tx.addOutput({ script: scriptOf(COIN_ADDRESS), amount: 2_000_000n });
  tx.addOutput({ script: scriptOf(address), amount: coin.amount - 2_001_000n });
  return `0x${Buffer.from(tx.toPSBT(0)).toString('hex')}`;
}

/** An off-chain message of Solana: no transaction begins with this prefix. Version 0, ASCII, five bytes of text. */
const OFF_CHAIN = `0xff${Buffer.from('solana offchain').toString('hex')}00000500${Buffer.from('hello').toString('hex')}`;

type Signed = { readonly id: string; readonly status: string; readonly details?: { readonly transaction?: string } };

test('one group signs messages, typed data and a PSBT for wallets and for a key of the store', async () => {
  const { client } = office.ada;
  const form = { scheme: 'EdDSA', curve: 'ed25519', storeId: desk.storeId };
  const { id: keyId } = ok(await client.change('POST', '/keys', form)) as { readonly id: string };
  const evm = `/wallets/${wallets.evm.id}/signatures`;
  const typed = {
    kind: 'Eip712',
    types: { A: [{ name: 'a', type: 'string' }] },
    domain: { chainId: 11_155_111 },
    message: { a: 'x' },
  };
  const psbt = await psbtOf(wallets.utxo.address);
  await waitUntil('the coin', async () => (await balanceOf(wallets.utxo)) > 20_000_000n, 60_000);
  const asked: readonly (readonly [string, object])[] = [
    [evm, { kind: 'Eip191', message: 'We keep this key offline.' }],
    [evm, typed],
    [`/wallets/${wallets.utxo.id}/signatures`, { kind: 'Psbt', psbt }],
    [`/wallets/${wallets.solana.id}/signatures`, { kind: 'Message', message: OFF_CHAIN }],
    [`/keys/${keyId}/signatures`, { kind: 'Message', message: OFF_CHAIN }],
  ];
  const paths: string[] = [];
  for (const [path, body] of asked) paths.push(`${path}/${(ok(await client.change('POST', path, body)) as Signed).id}`);
  const read = async (path: string) => ok(await client.get(path)) as Signed;
  for (const path of paths) expect(await read(path)).not.toMatchObject({ status: 'Signed' });
  await waitUntil('the requests', async () => {
    const rows = await installation.asOwnerOfAll(
      `SELECT 1 FROM offline_requests o JOIN signatures s ON s.id = o.request_id WHERE s.state = 'Signing'`,
    );
    return rows.length === asked.length;
  });
  const archive = await desk.collect();
  expect(requestsIn(archive)).toHaveLength(asked.length);
  expect(await desk.accept(await desk.sign(archive))).toEqual({ status: 'success' });
  for (const path of paths) await waitUntil(`${path} to be signed`, async () => (await read(path)).status === 'Signed', 60_000);
  const { details } = await read(paths[2] ?? '');
  expect(await coinNode('sendrawtransaction', details?.transaction?.slice(2))).toMatch(/^[0-9a-f]{64}$/);
});
