import { createPublicKey, verify } from 'node:crypto';
import { solanaCodecOf } from '../../../chains/codecs';
import { solanaDecoderOf } from '../../../chains/decoders';
import type { SolanaLifetime } from '../../../chains/solana/types';
import { digestOf } from '../../../platform/canonical';
import { SignSolanaOrder } from '../../../signer/orders/transfer-orders';
import type { CreatedKey, PayloadSignature, SignPayloadOrder } from '../../../signer/protocol';
import { messageOf, SYSTEM } from '../../chains/solana/messages';
import vectors from '../../chains/solana/vectors.json';
import { NOW_MS, ORG, openOperations, refusedAs, temporaryFolder } from '../fixtures';

const { recipient, mint, blockhash, nonceAccount } = vectors;
const codec = solanaCodecOf('SolanaDevnet');
const decoder = solanaDecoderOf('SolanaDevnet');
const folder = temporaryFolder();
let operations: Awaited<ReturnType<typeof openOperations>>;
let key: CreatedKey;
let from = '';

beforeAll(async () => {
  operations = await openOperations(folder.path);
  key = await operations.createKey({ orgId: ORG, keyId: 'key-solana', scheme: 'EdDSA', curve: 'ed25519' });
  from = codec.addressOf(key.publicKeyHex);
});
afterAll(async () => {
  await operations.close();
  folder.remove();
});

type Intent = SignSolanaOrder['intent'];
type Given = {
  readonly intent?: Partial<Intent>;
  readonly order?: Partial<SignSolanaOrder>;
  readonly lifetime?: SolanaLifetime;
  readonly built?: Partial<Intent>;
  readonly feePayer?: string;
};

const ofBlockhash = (hash = blockhash): SolanaLifetime => ({ kind: 'blockhash', blockhash: hash, lastValidBlockHeight: 9n });
const durable = (authority: string, value: string = blockhash): SolanaLifetime => ({
  kind: 'durable-nonce',
  account: nonceAccount,
  authority,
  value,
});

/** An order for a transfer. `intent` changes what was approved, and `built` changes what the bytes do. */
function orderFor(
  requestId: string,
  { intent = {}, order = {}, lifetime = ofBlockhash(), built = {}, feePayer }: Given = {},
): SignSolanaOrder {
  const approved: Intent = { from, to: recipient, amountUnits: '1000', asset: { kind: 'Native' }, ...intent };
  const does = { ...approved, ...built };
  const { asset } = does;
  if (asset.kind === 'Call') throw new Error('a call is given as bytes');
  const holder = (owner: string) =>
    asset.kind === 'Native' ? owner : decoder.associatedTokenAddress(owner, asset.contract, asset.kind);
  const { bytesHex } = codec.build(
    {
      network: 'SolanaDevnet',
      from: does.from,
      to: does.to,
      amountUnits: BigInt(does.amountUnits),
      asset,
      memo: does.memo,
      feePayer,
    },
    {
      lifetime,
      computeUnitLimit: 30_000,
      microLamportsPerUnit: 1_000n,
      ...(asset.kind === 'Native'
        ? {}
        : {
            token: {
              ...{ program: asset.kind, decimals: 6, source: holder(does.from), destination: holder(does.to) },
              createsDestination: does.createsDestination === true,
            },
          }),
    },
  );
  return SignSolanaOrder.parse({
    ...{ requestId, orgId: ORG, keyId: 'key-solana', network: 'SolanaDevnet', intent: approved, bytesHex },
    ...{ feeCeilingUnits: '3000000', sealed: key.sealed, dek: key.dek },
    ...{ issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 60_000).toISOString() },
    ...order,
  });
}

function isGood({ signatures: [signature] }: PayloadSignature, { bytesHex }: SignSolanaOrder): boolean {
  const spki = Buffer.from(`302a300506032b6570032100${key.publicKeyHex}`, 'hex');
  const bytes = Buffer.from(`${signature?.r.slice(2)}${signature?.s.slice(2)}`, 'hex');
  return verify(null, Buffer.from(bytesHex.slice(2), 'hex'), createPublicKey({ key: spki, format: 'der', type: 'spki' }), bytes);
}

test.each<[string, () => Given]>([
  ['SOL', () => ({})],
  ['SOL with a memo', () => ({ intent: { memo: 'Invoice42' } })],
  ['SOL by a durable nonce', () => ({ lifetime: durable(from), order: { nonceAccount } })],
  ['tokens', () => ({ intent: { asset: { kind: 'Spl', contract: mint } } })],
  [
    'tokens to an account that the transaction creates',
    () => ({ intent: { asset: { kind: 'Spl2022', contract: mint }, createsDestination: true } }),
  ],
  [
    'tokens to an account that was created in the meantime',
    () => ({
      intent: { asset: { kind: 'Spl', contract: mint }, createsDestination: true },
      built: { createsDestination: false },
    }),
  ],
])('%s: the whole message is signed, and a repeated order gets the same signature', async (name, given) => {
  const order = orderFor(`good-${name.replaceAll(/\W/g, '-')}`, given());
  const answer = await operations.signSolana(order);
  expect(isGood(answer, order)).toBe(true);
  await expect(operations.signSolana(order)).resolves.toEqual(answer);
});

const token = { kind: 'Spl', contract: vectors.mint } as const;
test.each<[string, string, () => Given]>([
  ['RecipientMismatch', 'a different recipient', () => ({ built: { to: mint } })],
  ['RecipientMismatch', 'a different owner of the tokens', () => ({ intent: { asset: token }, built: { to: nonceAccount } })],
  ['AmountMismatch', 'a different amount', () => ({ built: { amountUnits: '1001' } })],
  ['AssetMismatch', 'tokens in place of SOL', () => ({ built: { asset: token } })],
  [
    'AssetMismatch',
    'a different mint',
    () => ({ intent: { asset: token }, built: { asset: { kind: 'Spl', contract: recipient } } }),
  ],
  [
    'AssetMismatch',
    'the other token program',
    () => ({ intent: { asset: token }, built: { asset: { kind: 'Spl2022', contract: mint } } }),
  ],
  ['CallMismatch', 'a different memo', () => ({ intent: { memo: 'A' }, built: { memo: 'B' } })],
  [
    'CallMismatch',
    'an account that was not requested',
    () => ({ intent: { asset: token }, built: { createsDestination: true } }),
  ],
  ['SenderMismatch', 'money that belongs to another key', () => ({ intent: { from: recipient, to: mint } })],
  ['SenderMismatch', 'bytes with another sender', () => ({ built: { from: mint } })],
  ['FeeAboveApproved', 'a fee above the approved fee', () => ({ order: { feeCeilingUnits: '5000' } })],
  ['NonceMismatch', 'a blockhash in place of the durable nonce', () => ({ order: { nonceAccount } })],
  ['NonceMismatch', 'a durable nonce that is missing from the order', () => ({ lifetime: durable(from) })],
  [
    'BytesNotUnderstood',
    'a durable nonce whose authority has to sign too',
    () => ({ lifetime: durable(recipient), order: { nonceAccount } }),
  ],
  ['MainnetNotAllowed', 'the main network', () => ({ order: { network: 'Solana' } })],
  ['UnknownNetwork', 'a network of another family', () => ({ order: { network: 'EthereumSepolia' } })],
  ['BytesNotUnderstood', 'two transfers', () => ({ order: { bytesHex: vectors.transactions['two transfers'].messageHex } })],
  [
    'BytesNotUnderstood',
    'an instruction that is never signed',
    () => ({ order: { bytesHex: vectors.transactions.assign.messageHex }, intent: {} }),
  ],
  ['OrderExpired', 'an expired order', () => ({ order: { notAfter: new Date(NOW_MS - 1).toISOString() } })],
])('%s: %s', async (reason, name, given) => {
  const order = orderFor(`bad-${name.replaceAll(/\W/g, '-')}`, given());
  const asking = Promise.resolve().then(() => operations.signSolana(order));
  await expect(asking).rejects.toEqual(refusedAs(reason));
});

describe('a transfer with a fee that a sponsor pays', () => {
  const SPONSOR = 'key-sponsor';
  let payer: CreatedKey;
  let sponsor = '';
  beforeAll(async () => {
    payer = await operations.createKey({ orgId: ORG, keyId: SPONSOR, scheme: 'EdDSA', curve: 'ed25519' });
    sponsor = codec.addressOf(payer.publicKeyHex);
  });
  const approved = { asset: { kind: 'Spl', contract: mint }, createsDestination: true } as const;
  const ofWallet = (requestId: string, order: Partial<SignSolanaOrder> = {}, given: Given = {}) =>
    orderFor(requestId, { intent: approved, ...given, feePayer: sponsor, order: { sponsor, ...order } });
  const signatureOf = async (order: SignSolanaOrder) => {
    const [one] = (await operations.signSolana(order)).signatures;
    return `${one?.r.slice(2)}${one?.s.slice(2)}`;
  };
  /** The order for a signature by the sponsor's key over the same bytes. */
  const behind = (order: SignSolanaOrder, walletSignatureHex: string): SignSolanaOrder => ({
    ...order,
    ...{ keyId: SPONSOR, sealed: payer.sealed, dek: payer.dek, walletSignatureHex },
  });

  test('the wallet signs first and the sponsor second, and the transaction carries both signatures', async () => {
    const order = ofWallet('sponsored', { nonceAccount }, { lifetime: durable(from, recipient) });
    const own = await signatureOf(order);
    const theirs = await signatureOf(behind(order, own));
    const half = codec.signPartial(order.bytesHex, `0x${own}`, from);
    expect(codec.signPartial(half.rawHex, `0x${theirs}`, sponsor)).toEqual({
      rawHex: `0x02${theirs}${own}${order.bytesHex.slice(2)}`,
      txHash: expect.any(String),
    });
    await expect(signatureOf(behind(order, own))).resolves.toBe(theirs);
  });

  test.each<[string, string, () => Promise<SignSolanaOrder>]>([
    ['SenderMismatch', 'a sponsor that signs before the wallet', async () => behind(ofWallet('s-1'), '00'.repeat(64))],
    [
      'SenderMismatch',
      'a wallet signature over different bytes',
      async () => behind(ofWallet('s-2', {}, { intent: { ...approved, amountUnits: '2' } }), await signatureOf(ofWallet('s-3'))),
    ],
    ['SenderMismatch', 'a sponsor that is missing from the order', async () => ({ ...ofWallet('s-4'), sponsor: undefined })],
    ['SenderMismatch', 'a sponsor that differs from that of the bytes', async () => ({ ...ofWallet('s-5'), sponsor: recipient })],
    ['SenderMismatch', 'a wallet that is its own sponsor', async () => orderFor('s-6', { order: { sponsor: from } })],
    [
      'SenderMismatch',
      'a wallet signature without a sponsor',
      async () => orderFor('s-7', { order: { walletSignatureHex: '00'.repeat(64) } }),
    ],
    ['AmountMismatch', 'a different amount', async () => ofWallet('s-8', {}, { built: { amountUnits: '1001' } })],
    [
      'BytesNotUnderstood',
      'an account at the expense of the sponsor',
      async () => ofWallet('s-9', { bytesHex: withPayer(ofWallet('s-9').bytesHex) }),
    ],
  ])('%s: %s', async (reason, _, make) => {
    const order = await make();
    await expect(Promise.resolve().then(() => operations.signSolana(order))).rejects.toEqual(refusedAs(reason));
  });

  test('both keys sign a second message for a durable nonce only if its order states that it replaces the first', async () => {
    const lifetime = durable(from, vectors.nonceAccount);
    const first = ofWallet('s-first', { nonceAccount }, { lifetime });
    const own = await signatureOf(first);
    await signatureOf(behind(first, own));
    // A transfer of zero to its own sender only advances the nonce, at the expense of the sponsor.
    const nothing = { asset: { kind: 'Native' }, to: from, amountUnits: '0' } as const;
    const none = ofWallet('s-none', { nonceAccount }, { lifetime, intent: nothing });
    await expect(operations.signSolana(none)).rejects.toEqual(refusedAs('NonceSignedAlready'));
    const named = { ...none, replaces: 's-first' };
    await expect(Promise.resolve().then(() => operations.signSolana(behind(named, own)))).rejects.toEqual(
      refusedAs('SenderMismatch'),
    );
    const theirs = await signatureOf(behind(named, await signatureOf(named)));
    expect(decoder.verifies(named.bytesHex, theirs, sponsor)).toBe(true);
  });

  /** Names account 0, the sponsor, as the payer: the first account of the instruction pays for the new account. */
  function withPayer(bytesHex: string): string {
    const [create] = /0601.{10}0101/.exec(bytesHex) ?? [];
    if (!create) throw new Error('the instruction is not where it was looked for');
    return bytesHex.replace(create, create.replace('0601', '0600'));
  }
});

test('only one message is signed for a request or for an external id, even with a fresh blockhash', async () => {
  const order = orderFor('once', { order: { intentId: 'transfer:invoice-1' } });
  await operations.signSolana(order);
  const anew = orderFor('once', { lifetime: ofBlockhash(recipient), order: { intentId: 'transfer:invoice-1' } });
  await expect(operations.signSolana(anew)).rejects.toEqual(refusedAs('RequestIdReused'));
  await expect(operations.signSolana({ ...anew, requestId: 'again' })).rejects.toEqual(refusedAs('IntentSignedAlready'));
});

test('two requests never share the value of a durable nonce, unless one states that it replaces the other', async () => {
  const value = mint;
  const lifetime: SolanaLifetime = { kind: 'durable-nonce', account: nonceAccount, authority: from, value };
  await operations.signSolana(orderFor('first', { lifetime, order: { nonceAccount } }));
  const rival = orderFor('rival', { lifetime, order: { nonceAccount }, intent: { amountUnits: '2' } });
  await expect(operations.signSolana(rival)).rejects.toEqual(refusedAs('NonceSignedAlready'));
  await expect(operations.signSolana({ ...rival, replaces: 'first' })).resolves.toBeDefined();
});

describe('an order for a call that makes nonce accounts', () => {
  type Made = { readonly authority?: string; readonly rentUnits?: bigint; readonly seeds?: readonly string[] };
  const makes = async ({
    authority = from,
    rentUnits = 1_447_680n,
    seeds = ['strongroom-nonce-0', 'strongroom-nonce-1'],
  }: Made) => {
    const accounts = await Promise.all(seeds.map(async (seed) => ({ seed, address: await codec.seedAddress(from, seed) })));
    const terms = { lifetime: ofBlockhash(), computeUnitLimit: 1_000, microLamportsPerUnit: 1n };
    return codec.buildNonceAccounts({ from, authority, accounts, rentUnits }, terms).bytesHex;
  };
  const order = async (requestId: string, bytesHex: string, nonceAccounts = 2): Promise<SignSolanaOrder> => {
    const callDigest = digestOf(decoder.callOf(bytesHex) ?? null);
    const intent = { to: from, amountUnits: '0', asset: { kind: 'Call' as const }, callDigest, nonceAccounts };
    const plain = orderFor(requestId);
    return { ...plain, bytesHex, intent: { from, ...intent } };
  };

  test('is signed, for the sender and within the rent', async () => {
    await operations.signSolana(await order('xfr-nonces', await makes({})));
  });

  test.each<[string, Made, number | undefined, string]>([
    ['a different number', {}, 1, 'CallMismatch'],
    ['a higher rent', { rentUnits: 1_447_681n }, undefined, 'AmountMismatch'],
    ['one account twice', { seeds: ['strongroom-nonce-0', 'strongroom-nonce-0'] }, undefined, 'CallMismatch'],
  ])('with %s is refused, whatever digest was approved', async (what, made, count, reason) => {
    const asked = await order(`xfr-nonces-${what.length}`, await makes(made), count);
    await expect(operations.signSolana(asked)).rejects.toEqual(refusedAs(reason));
  });

  test('can name another authority, which the approved digest covers', async () => {
    const theirs = await order('xfr-nonces-theirs', await makes({ authority: recipient }));
    const { callDigest } = (await order('xfr-nonces-own', await makes({}))).intent;
    const exchanged = {
      ...theirs,
      requestId: 'xfr-nonces-exchanged',
      intent: { ...theirs.intent, callDigest },
    } as SignSolanaOrder;
    await expect(operations.signSolana(exchanged)).rejects.toEqual(refusedAs('CallMismatch'));
    await expect(operations.signSolana(theirs)).resolves.toBeDefined();
  });

  test('is refused if the call moves money instead', async () => {
    const { bytesHex } = orderFor('xfr-none');
    await expect(operations.signSolana(await order('xfr-nonces-paid', bytesHex))).rejects.toEqual(refusedAs('CallMismatch'));
  });
});

test('a raw transaction is signed if all its bytes except the blockhash equal the approved bytes', async () => {
  const { messageHex } = codec.termsOf(orderFor('raw').bytesHex, from, 'transaction').call;
  const call = { from, to: from, amountUnits: '0', asset: { kind: 'Call' } } as const;
  const order = orderFor('raw', { lifetime: ofBlockhash(recipient) });
  const approved = { ...order, intent: { ...call, callDigest: digestOf({ messageHex }) } };
  expect(isGood(await operations.signSolana(approved), order)).toBe(true);
  const other = { ...orderFor('raw-2', { built: { amountUnits: '2' } }), intent: approved.intent };
  await expect(operations.signSolana(other)).rejects.toEqual(refusedAs('CallMismatch'));
});

describe('a transaction for which a caller requests only a signature', () => {
  const asking = (requestId: string, bytesHex: string, network = 'SolanaDevnet'): SignPayloadOrder => ({
    ...{ requestId, orgId: ORG, keyId: 'key-solana', payload: { kind: 'SolanaTransaction', network, bytesHex } },
    ...{ sealed: key.sealed, dek: key.dek, evidence: [], policyEpoch: 1 },
    ...{ issuedAt: new Date(NOW_MS).toISOString(), notAfter: new Date(NOW_MS + 60_000).toISOString() },
  });
  const message = (instruction: { readonly data: string; readonly accounts: readonly string[] }, signers = [recipient, from]) =>
    `0x${messageOf({ signers, instructions: [{ program: SYSTEM, ...instruction }] }).toString('hex')}`;
  const payment = { data: '02000000e803000000000000', accounts: [] };
  const advance = (authority: string, account: string = nonceAccount) => ({
    data: '04000000',
    accounts: [account, 'SysvarRecentB1ockHashes11111111111111111111', authority],
  });

  test('may have another payer and further signers', async () => {
    const bytesHex = message({ ...payment, accounts: [from, mint] });
    const answer = await operations.signPayload(asking('partial', bytesHex));
    expect(isGood(answer, orderFor('any', { order: { bytesHex } }))).toBe(true);
  });

  test.each<[string, string, () => SignPayloadOrder]>([
    [
      'SenderMismatch',
      'a transaction that the key need not sign',
      () => asking('p-1', message({ ...payment, accounts: [recipient, from] }, [recipient])),
    ],
    [
      'BytesNotUnderstood',
      'an account that is given to another owner',
      () => asking('p-2', message({ data: `01000000${'00'.repeat(32)}`, accounts: [from] })),
    ],
    [
      'BytesNotUnderstood',
      'an unusual instruction that advances a nonce',
      () => asking('p-3', message({ ...advance(from), data: '0400000000' })),
    ],
    ['BytesNotUnderstood', 'no message', () => asking('p-4', '0x00')],
    ['MainnetNotAllowed', 'the main network', () => asking('p-5', message({ ...payment, accounts: [from, mint] }), 'Solana')],
  ])('%s: %s', async (reason, _, make) => {
    const answer = Promise.resolve().then(() => operations.signPayload(make()));
    await expect(answer).rejects.toEqual(refusedAs(reason));
  });

  test('a value of our own durable nonce is signed once, by either kind of order; nonces of others are not tracked', async () => {
    await operations.signPayload(asking('own-1', message(advance(from, recipient))));
    const again = Promise.resolve().then(() =>
      operations.signPayload(asking('own-2', message(advance(from, recipient), [from]))),
    );
    await expect(again).rejects.toEqual(refusedAs('NonceSignedAlready'));
    const lifetime: SolanaLifetime = { kind: 'durable-nonce', account: recipient, authority: from, value: blockhash };
    const transfer = Promise.resolve().then(() =>
      operations.signSolana(orderFor('own-3', { lifetime, order: { nonceAccount: recipient } })),
    );
    await expect(transfer).rejects.toEqual(refusedAs('NonceSignedAlready'));
    for (const [index, signers] of [
      [recipient, from],
      [recipient, mint, from],
    ].entries())
      await operations.signPayload(asking(`theirs-${index}`, message(advance(recipient), signers)));
  });
});
