import { randomBytes } from 'node:crypto';
import { recoverTransactionAddress } from 'viem';
import { parseTransaction as parseCelo, serializeTransaction as serializeCelo } from 'viem/celo';
import {
  hashTypedData,
  keccak256,
  parseTransaction,
  recoverAddress,
  recoverAuthorizationAddress,
  recoverMessageAddress,
  serializeTransaction,
} from 'viem/utils';
import { createService, type Service } from '../support/service';
import { fundedWallet, holdPolicy, ok, RECIPIENT } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { startWebhookSink, type WebhookSink } from '../support/webhook-sink';

jest.setTimeout(240_000);

type Hex = `0x${string}`;
type Signature = { readonly r: Hex; readonly s: Hex; readonly recid: number; readonly encoded: Hex };
type Body = {
  readonly id: string;
  readonly status: string;
  readonly reason?: string;
  readonly approvalId?: string;
  readonly signature?: Signature;
  readonly signatures?: readonly Signature[];
  readonly signedData?: Hex;
  readonly txHash?: Hex;
};

const CHAIN_ID = 11_155_111;
/** Long enough for the holder to send a transaction on a busy machine. */
const LAPSE_S = 20;

let service: Service;
let sink: WebhookSink;
let wallet: { readonly id: string; readonly address: Hex; readonly keyId: string };
beforeAll(async () => {
  service = await createService({ FILLED_NONCE_LAPSES_AFTER_SECONDS: String(LAPSE_S) });
  sink = await startWebhookSink();
  await service.start();
  wallet = await newWallet();
});
afterAll(async () => {
  await sink?.close();
  await service?.close();
});

async function newWallet() {
  const admin = service.client('admin');
  const { id, address } = await fundedWallet(service, admin);
  const { signingKey } = ok(await admin.get(`/wallets/${id}`)) as { readonly signingKey: { readonly id: string } };
  return { id, address: address as Hex, keyId: signingKey.id };
}

const sign = async (body: Readonly<Record<string, unknown>>, keyId = wallet.keyId): Promise<Body> =>
  ok(await service.client('admin').change('POST', `/keys/${keyId}/signatures`, body)) as Body;

/** The only signature of an answer with the status Signed. */
function signatureOf(answer: Body): Signature {
  expect(answer).toMatchObject({ status: 'Signed', signature: expect.any(Object) });
  if (!answer.signature) throw new Error('no signature');
  expect(answer.signatures).toEqual([answer.signature]);
  expect(BigInt(answer.signature.s) <= 2n ** 255n).toBe(true);
  return answer.signature;
}

test('if no policy holds the request, the POST returns the signature of the hash, and the recovery id leads to the wallet', async () => {
  const hash: Hex = `0x${randomBytes(32).toString('hex')}`;
  const { r, s, recid, encoded } = signatureOf(await sign({ kind: 'Hash', hash }));
  expect(await recoverAddress({ hash, signature: { r, s, yParity: recid } })).toBe(wallet.address);
  expect(encoded).toBe(`${r}${s.slice(2)}0${recid}`);
});

test('messages are signed as personal messages of Ethereum, both as bytes and as text', async () => {
  const text = 'I agree to the terms';
  const asBytes = signatureOf(
    await sign({ kind: 'Message', message: Buffer.from(text).toString('hex'), network: 'EthereumSepolia' }),
  );
  const asText = signatureOf(await sign({ kind: 'Eip191', message: text, blockchainKind: 'Evm' }));
  expect(await recoverMessageAddress({ message: text, signature: asBytes.encoded })).toBe(wallet.address);
  expect(asText).toEqual(asBytes);
});

test('typed data is signed as EIP-712 hashes it', async () => {
  const domain = { name: 'Ether Mail', version: '1', chainId: CHAIN_ID, verifyingContract: RECIPIENT } as const;
  const types = {
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallets', type: 'address[]' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'amount', type: 'uint256' },
      { name: 'contents', type: 'string' },
    ],
  } as const;
  const message = {
    from: { name: 'Cow', wallets: [RECIPIENT] },
    amount: '340282366920938463463374607431768211456',
    contents: 'Hello',
  };
  const { encoded } = signatureOf(await sign({ kind: 'Eip712', domain, types, message }));
  const hash = hashTypedData({ domain, types, primaryType: 'Mail', message: { ...message, amount: 2n ** 128n } as never });
  expect(await recoverAddress({ hash, signature: encoded })).toBe(wallet.address);
});

test('an authorization is returned signed', async () => {
  const answer = await sign({ kind: 'Eip7702', address: RECIPIENT, nonce: 7, chainId: CHAIN_ID });
  const { r, s, recid } = signatureOf(answer);
  const authorization = { address: RECIPIENT, chainId: CHAIN_ID, nonce: 7, r, s, yParity: recid } as const;
  expect(await recoverAuthorizationAddress({ authorization })).toBe(wallet.address);
  expect(answer.signedData).toMatch(/^0xf8/);
});

const common = { chainId: CHAIN_ID, to: RECIPIENT, value: '5', gasLimit: '21000' } as const;
const dynamic = { maxFeePerGas: '2000000000', maxPriorityFeePerGas: '1000000000' } as const;

test.each([
  [0, { ...common, type: 0, gasPrice: '2000000000' }],
  [1, { ...common, type: 1, gasPrice: '2000000000', accessList: [] }],
  [2, { ...common, ...dynamic }],
])('a signed transaction of type %s is returned in full, and the chain accepts it', async (_type, transaction) => {
  const { address, keyId } = await newWallet();
  const answer = await sign({ kind: 'Transaction', transaction: { ...transaction, nonce: 0 } }, keyId);
  signatureOf(answer);
  const raw = answer.signedData as Hex;
  expect(await recoverTransactionAddress({ serializedTransaction: raw as never })).toBe(address);
  expect(keccak256(raw)).toBe(answer.txHash);
  expect(await service.rpc('eth_sendRawTransaction', [raw])).toBe(answer.txHash);
  const receipt = await waitUntil(
    'a receipt',
    async () => (await service.rpc('eth_getTransactionReceipt', [answer.txHash])) ?? false,
  );
  expect(receipt).toMatchObject({ status: '0x1' });
});

test('a transaction that is signed and never sent is cancelled, which frees its nonce for waiting transfers', async () => {
  const admin = service.client('admin');
  const { id, address } = await newWallet();
  const transaction = { ...common, ...dynamic, type: 2, nonce: 0 };
  const signed = ok(await admin.change('POST', `/wallets/${id}/signatures`, { kind: 'Transaction', transaction })) as Body;
  const { id: waitingId } = ok(
    await admin.change('POST', `/wallets/${id}/transfers`, { kind: 'Native', to: RECIPIENT, amount: '7' }),
  ) as Body;
  const none = ok(await admin.change('POST', `/wallets/${id}/signatures/${signed.id}/cancel`)) as Body;
  expect(none).toMatchObject({ details: { cancelsSignature: signed.id } });
  const done = await waitUntil('both ends', async () => {
    const one = ok(await admin.get(`/wallets/${id}/transactions/${none.id}`)) as Body;
    const other = ok(await admin.get(`/wallets/${id}/transfers/${waitingId}`)) as Body;
    return one.status === 'Confirmed' && other.status === 'Confirmed' && one;
  });
  expect(await service.rpc('eth_getTransactionByHash', [done.txHash])).toMatchObject({
    ...{ nonce: '0x0', value: '0x0', from: address.toLowerCase(), to: address.toLowerCase() },
  });
  await expect(service.rpc('eth_sendRawTransaction', [signed.signedData])).rejects.toThrow();
  expect(await service.rpc('eth_getTransactionCount', [address, 'latest'])).toBe('0x2');
});

test('if the holder of a signed transaction sends it after all, it wins over its cancellation, and nothing is frozen', async () => {
  const admin = service.client('admin');
  const { id, address } = await newWallet();
  const transaction = { ...common, ...dynamic, type: 2, nonce: 0 };
  const signed = ok(await admin.change('POST', `/wallets/${id}/signatures`, { kind: 'Transaction', transaction })) as Body;
  await service.rpc('strongroom_setMining', [false]);
  try {
    const { id: lateId, txHash } = ok(await admin.change('POST', `/wallets/${id}/signatures/${signed.id}/cancel`)) as Body;
    await service.rpc('anvil_dropTransaction', [txHash]);
    await service.rpc('eth_sendRawTransaction', [signed.signedData]);
    await service.rpc('strongroom_setMining', [true]);
    // Two checks, ten seconds apart, must find that the nonce is used.
    const late = await waitUntil(
      'the end of the cancellation',
      async () => {
        const now = ok(await admin.get(`/wallets/${id}/transactions/${lateId}`)) as Body;
        return now.status === 'Failed' && now;
      },
      40_000,
    );
    expect(late.reason).toContain('was sent after all');
  } finally {
    await service.rpc('strongroom_setMining', [true]);
  }
  const next = ok(await admin.change('POST', `/wallets/${id}/transfers`, { kind: 'Native', to: RECIPIENT, amount: '7' })) as Body;
  await waitUntil('the next transfer', async () => {
    const now = ok(await admin.get(`/wallets/${id}/transfers/${next.id}`)) as Body;
    return now.status === 'Confirmed';
  });
  expect(await service.rpc('eth_getTransactionCount', [address, 'latest'])).toBe('0x2');
});

test('the service fills in nonce, gas and price of a transaction, and its holder sends it', async () => {
  const admin = service.client('admin');
  const { id, address, keyId } = await newWallet();
  const answer = await sign({ kind: 'Transaction', transaction: { chainId: CHAIN_ID, to: RECIPIENT, value: '5' } }, keyId);
  signatureOf(answer);
  const raw = answer.signedData as Hex;
  expect(parseTransaction(raw)).toMatchObject({ nonce: 0, value: 5n, gas: 21_000n });
  expect(await recoverTransactionAddress({ serializedTransaction: raw as never })).toBe(address);
  expect(await service.rpc('eth_sendRawTransaction', [raw])).toBe(answer.txHash);
  const next = ok(await admin.change('POST', `/wallets/${id}/transfers`, { kind: 'Native', to: RECIPIENT, amount: '7' })) as Body;
  await waitUntil('the next transfer', async () => {
    const now = ok(await admin.get(`/wallets/${id}/transfers/${next.id}`)) as Body;
    return now.status === 'Confirmed';
  });
  expect(await service.rpc('eth_getTransactionReceipt', [answer.txHash])).toMatchObject({ status: '0x1' });
  expect(await service.rpc('eth_getTransactionCount', [address, 'latest'])).toBe('0x2');
});

test('a filled-in transaction that is never sent expires: the service uses up the nonce, and later transfers confirm', async () => {
  const admin = service.client('admin');
  const { id, address, keyId } = await newWallet();
  const open = { kind: 'Transaction', transaction: { chainId: CHAIN_ID, to: RECIPIENT, value: '5' } };
  const signed = (await sign(open, keyId)) as Body & { readonly details: { readonly lapsesAt: string } };
  expect(Date.parse(signed.details.lapsesAt)).not.toBeNaN();
  const waiting = ok(
    await admin.change('POST', `/wallets/${id}/transfers`, { kind: 'Native', to: RECIPIENT, amount: '7' }),
  ) as Body;
  await waitUntil(
    'the transfer that waits for the nonce',
    async () => (ok(await admin.get(`/wallets/${id}/transfers/${waiting.id}`)) as Body).status === 'Confirmed',
    120_000,
  );
  const { details } = ok(await admin.get(`/keys/${keyId}/signatures/${signed.id}`)) as {
    readonly details: { readonly cancelledBy: string };
  };
  const filler = ok(await admin.get(`/wallets/${id}/transactions/${details.cancelledBy}`)) as Body;
  expect(filler).toMatchObject({ details: { cancelsSignature: signed.id, madeByService: true } });
  expect(await service.rpc('eth_getTransactionByHash', [filler.txHash])).toMatchObject({
    ...{ nonce: '0x0', value: '0x0', from: address.toLowerCase(), to: address.toLowerCase() },
  });
  await expect(service.rpc('eth_sendRawTransaction', [signed.signedData])).rejects.toThrow();
});

test('a Celo transaction with a fee in a token is signed, and an independent library reads it and finds the sender', async () => {
  const { address, keyId } = await newWallet();
  const feeCurrency = '0x874069Fa1Eb16D44d622F2e0Ca25eeA172369bC1';
  const transaction = { ...common, ...dynamic, type: 123, chainId: 44_787, nonce: 0, feeCurrency };
  const answer = await sign({ kind: 'Transaction', transaction }, keyId);
  const { r: _r, s: _s, yParity: _yParity, v: _v, ...members } = parseCelo(answer.signedData as `0x7b${string}`);
  expect(members).toMatchObject({ type: 'cip64', feeCurrency: feeCurrency.toLowerCase(), value: 5n, gas: 21_000n });
  const hash = keccak256(serializeCelo(members as Parameters<typeof serializeCelo>[0]));
  const { r, s, recid } = signatureOf(answer);
  expect(await recoverAddress({ hash, signature: { r, s, yParity: recid } })).toBe(address);
  const unlisted = { kind: 'Transaction', transaction: { ...transaction, feeCurrency: RECIPIENT } };
  const admin = service.client('admin');
  expect(await admin.change('POST', `/keys/${keyId}/signatures`, unlisted)).toMatchObject({
    status: 400,
    body: { error: { details: { issues: [{ path: 'body.transaction.feeCurrency' }] } } },
  });
});

test('on Tempo a nonce is signed once per lane (nonce sequence); the same number in another lane is a different nonce', async () => {
  const { keyId } = await newWallet();
  const transaction = { ...common, ...dynamic, value: '0', type: 118, chainId: 42_431, nonce: 0, nonceKey: '5' };
  const admin = service.client('admin');
  const ask = async (changes: object) =>
    ok(
      await admin.change('POST', `/keys/${keyId}/signatures`, {
        kind: 'Transaction',
        transaction: { ...transaction, ...changes },
      }),
    );
  expect(await ask({})).toMatchObject({ status: 'Signed', signedData: expect.stringMatching(/^0x76/) });
  expect(await ask({ gasLimit: '21001' })).toMatchObject({ status: 'Failed', reason: expect.stringContaining('lane') });
  expect(await ask({ nonceKey: '6' })).toMatchObject({ status: 'Signed' });
});

test('the deprecated path signs a transaction that is sent as unsigned bytes', async () => {
  const { id, address } = await newWallet();
  const unsigned = serializeTransaction({
    type: 'eip1559',
    chainId: CHAIN_ID,
    nonce: 0,
    to: RECIPIENT,
    value: 9n,
    gas: 21_000n,
    maxFeePerGas: 2_000_000_000n,
    maxPriorityFeePerGas: 1n,
  });
  const admin = service.client('admin');
  const answer = ok(
    await admin.change('POST', `/wallets/${id}/signatures`, { kind: 'Transaction', transaction: unsigned }),
  ) as Body & { readonly walletId: string };
  expect(answer).toMatchObject({ status: 'Signed', walletId: id, network: 'EthereumSepolia' });
  expect(await recoverTransactionAddress({ serializedTransaction: answer.signedData as never })).toBe(address);
  expect(parseTransaction(answer.signedData as Hex)).toMatchObject({ value: 9n, nonce: 0 });
  // This payload has used the nonce, so a different payload cannot use it.
  const other = { ...common, ...dynamic, nonce: 0, value: '6' };
  expect(ok(await admin.change('POST', `/wallets/${id}/signatures`, { kind: 'Transaction', transaction: other }))).toMatchObject({
    status: 'Failed',
    reason: expect.stringContaining('nonce 0'),
  });
});

test('a held signature waits, is released by the second user, and its webhooks arrive in order', async () => {
  const [admin, approver] = [service.client('admin'), service.client('approver')];
  const own = await newWallet();
  ok(await admin.change('POST', '/webhooks', { url: sink.url, events: ['*'] }));
  await holdPolicy(admin, own.id, { approvers: { userId: { in: [service.userId('approver')] } } });
  const hash: Hex = `0x${randomBytes(32).toString('hex')}`;
  const held = await sign({ kind: 'Hash', hash, externalId: 'held-1' }, own.keyId);
  expect(held).toMatchObject({ status: 'Pending', approvalId: expect.stringMatching(/^ap-/) });
  expect(ok(await admin.get(`/v2/policy-approvals/${held.approvalId}`))).toMatchObject({
    activity: { kind: 'Wallets:Sign', signatureRequest: { id: held.id, requestBody: { hash } } },
  });
  ok(await approver.change('POST', `/v2/policy-approvals/${held.approvalId}/decisions`, { value: 'Approved' }));
  const signed = await waitUntil('the signature', async () => {
    const now = ok(await admin.get(`/keys/${own.keyId}/signatures/${held.id}`)) as Body;
    return now.status === 'Signed' && now;
  });
  const { r, s, recid } = signatureOf(signed);
  expect(await recoverAddress({ hash, signature: { r, s, yParity: recid } })).toBe(own.address);
  const kinds = await waitUntil('the last webhook', () => {
    const seen = sink.deliveries.filter(({ raw }) => raw.includes(held.id)).map(({ envelope }) => envelope.kind);
    return seen.includes('wallet.signature.signed') && seen;
  });
  expect(kinds.filter((kind) => kind.startsWith('wallet.signature'))).toEqual([
    'wallet.signature.requested',
    'wallet.signature.signed',
  ]);
  expect(await sign({ kind: 'Hash', hash, externalId: 'held-1' }, own.keyId)).toMatchObject({ id: held.id, status: 'Signed' });
});
