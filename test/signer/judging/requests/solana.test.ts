import { ed25519 } from '@noble/curves/ed25519.js';
import { createSolanaSigning } from '../../../../activities/outgoing/solana/signing';
import { solanaBodies } from '../../../../application/bodies/solana/bodies';
import { solanaCodecOf } from '../../../../chains/codecs';
import type { SolanaLifetime } from '../../../../chains/solana/types';
import { CAPABILITIES } from '../../../../domain/capabilities';
import { nonceSeeds, nonceSeedsOf } from '../../../../domain/nonce-accounts';
import type { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import type { SignSolanaOrder } from '../../../../signer/protocol';
import { messageOf, SYSTEM, wireOf } from '../../../chains/solana/messages';
import vectors from '../../../chains/solana/vectors.json';
import { answerTo, freePlaces, isRefused } from './changes';
import { keyRows, orderMade, SPONSOR, transactionRow, transferRow, type Wallet } from './requested-orders';

const { recipient, mint, blockhash, nonceAccount } = vectors;
const NO_BLOCKHASH = SYSTEM;
const codec = solanaCodecOf('SolanaDevnet');
const publicKeyHex = Buffer.from(ed25519.getPublicKey(new Uint8Array(32).fill(1))).toString('hex');
const from = codec.addressOf(publicKeyHex);
const wallet: Wallet = { network: 'SolanaDevnet', address: from, publicKeyHex };
const ROWS = keyRows(publicKeyHex, { scheme: 'EdDSA', curve: 'ed25519' });
const ofBlockhash: SolanaLifetime = { kind: 'blockhash', blockhash, lastValidBlockHeight: 9n };
const durable: SolanaLifetime = { kind: 'durable-nonce', account: nonceAccount, authority: from, value: blockhash };

/** The comparison ignores the bytes of a transfer except for their lifetime. */
const transferBytes = (lifetime: SolanaLifetime) =>
  codec.build(
    { network: 'SolanaDevnet', from, to: recipient, amountUnits: 1n, asset: { kind: 'Native' } },
    { lifetime, computeUnitLimit: 1_000, microLamportsPerUnit: 0n },
  ).bytesHex;

const orderFor = (row: OutgoingEntity, unsignedHex: string): Promise<SignSolanaOrder> =>
  orderMade<'signSolana'>((signer) => createSolanaSigning(signer, undefined as never), row, {
    rows: ROWS,
    payload: { unsignedHex },
  });

/** Members that may change: the key rows, the bytes, the clock, and members that the caller compares. */
const FREE =
  /^order\.(bytesHex|dek|sealed|feeCeilingUnits|issuedAt|notAfter|keyId|orgId|requestId|sponsor$|network|intent\.from)/;

describe('transfers', () => {
  const cause = 'transferAsset';
  const BODIES = {
    Native: { kind: 'Native', to: recipient, amount: '1000', externalId: 'pay-1', priority: 'Slow' },
    Spl: { kind: 'Spl', mint, to: recipient, amount: '1000', memo: 'Invoice7', createDestinationAccount: true },
    Spl2022: { kind: 'Spl2022', mint, to: recipient, amount: '5', useDurableNonce: true, createDestinationAccount: false },
  } as const;
  const KINDS = Object.keys(BODIES) as (keyof typeof BODIES)[];
  const free = (path: string) => FREE.test(path) || /^body\.(priority|travelRule)/.test(path);

  test('this file has a body for every kind of transfer on Solana', () => {
    expect([...KINDS].sort()).toEqual([...CAPABILITIES.solana.transferKinds].sort());
  });

  const sampleOf = async (kind: keyof typeof BODIES, more: object = {}) => {
    const body: Readonly<Record<string, unknown>> = { ...BODIES[kind], ...more };
    const sponsor = 'feeSponsorId' in body ? { sponsorAddress: mint } : { sponsorAddress: null };
    const lifetime = body['useDurableNonce'] === true ? durable : ofBlockhash;
    const order = await orderFor(transferRow(wallet, body, sponsor), transferBytes(lifetime));
    return { op: 'signSolana', order, cause, body } as const;
  };

  test.each(KINDS)('%s: the worker’s order is accepted, and every changed member is refused', async (kind) => {
    const asked = await sampleOf(kind);
    expect(answerTo(asked)).toEqual({ feeSponsorId: null });
    // The body specifies only that there is a nonce account, so any nonce account of the wallet is accepted.
    const beside = (path: string) =>
      free(path) || path === 'order.nonceAccount' || path === 'body.createDestinationAccount dropped';
    expect(freePlaces(asked).filter((path) => !beside(path))).toEqual([]);
  });

  test.each(KINDS)('%s: with a sponsor, both parts are accepted, and every changed member is refused', async (kind) => {
    const asked = await sampleOf(kind, {
      feeSponsorId: SPONSOR,
      memo: 'Z9',
      createDestinationAccount: true,
      useDurableNonce: false,
    });
    expect(answerTo(asked)).toEqual({ feeSponsorId: SPONSOR });
    const signed = { ...asked.order, walletSignatureHex: '00'.repeat(64) };
    expect(answerTo({ ...asked, order: signed })).toEqual({ feeSponsorId: SPONSOR });
    const beside = (path: string) => free(path) || /^body\.(feeSponsorId|useDurableNonce dropped)$/.test(path);
    expect(freePlaces(asked).filter((path) => !beside(path))).toEqual([]);
  });

  test('for an offline device, the service may choose a durable nonce unless the body declines it', async () => {
    const { order, ...asked } = await sampleOf('Native');
    const { dek: _rows, ...forDevice } = order;
    const bytes = { bytesHex: transferBytes(durable), nonceAccount };
    const withOrder = (changed: object, body: object = {}) =>
      isRefused({ ...asked, body: { ...asked.body, ...body }, order: changed } as never);
    expect(withOrder({ ...forDevice, ...bytes })).toBe(false);
    expect(withOrder({ ...forDevice, ...bytes }, { useDurableNonce: false })).toBe(true);
    expect(withOrder(forDevice, { useDurableNonce: true })).toBe(true);
    expect(withOrder({ ...order, ...bytes })).toBe(true);
  });

  test('an order with an additional member is refused', async () => {
    const asked = await sampleOf('Native');
    const { order } = asked;
    const refused = (more: object) => isRefused({ ...asked, order: { ...order, ...more } });
    expect(refused({ replaces: 'tr-0' })).toBe(true);
    expect(refused({ nonceAccount })).toBe(true);
    expect(refused({ sponsor: mint })).toBe(true);
    for (const more of [{ memo: 'Hello' }, { createsDestination: true }, { callDigest: '0'.repeat(64) }, { nonceAccounts: 1 }])
      expect(refused({ intent: { ...order.intent, ...more } })).toBe(true);
  });
});

describe('raw transactions', () => {
  const cause = 'broadcastTransaction';
  const free = (path: string) => FREE.test(path) && !path.startsWith('order.bytesHex');
  const move = { program: SYSTEM, accounts: [from, recipient], data: '02000000e803000000000000' };
  const other = { program: mint, accounts: [from], data: '0102' };
  const advance = {
    program: SYSTEM,
    accounts: [nonceAccount, 'SysvarRecentB1ockHashes11111111111111111111', from],
    data: '04000000',
  };
  const token = {
    program: 'Spl',
    ...{ decimals: 6, createsDestination: true },
    ...{ source: vectors.senderTokens.Spl, destination: vectors.recipientTokens.Spl },
  } as const;
  const tokenBytes = codec.build(
    { network: 'SolanaDevnet', from, to: recipient, amountUnits: 5n, asset: { kind: 'Spl', contract: mint } },
    { lifetime: ofBlockhash, computeUnitLimit: 1_000, microLamportsPerUnit: 0n, token },
  ).bytesHex;
  const MESSAGES = {
    'a transfer': messageOf({ signers: [from], instructions: [move] }),
    'an unknown program': messageOf({ version: 0, signers: [from], instructions: [other] }),
    'an open blockhash': messageOf({ signers: [from], instructions: [move], blockhash: NO_BLOCKHASH }),
    'a durable nonce': messageOf({ signers: [from], instructions: [advance, move] }),
    'a token transfer': Buffer.from(tokenBytes.slice(2), 'hex'),
  };

  const sampleOf = async (transaction: string) => {
    const body = { kind: 'Transaction', transaction, externalId: 'raw-1' };
    const row = transactionRow(wallet, body);
    if (row.terms?.family !== 'solana') throw new Error('a transaction of Solana');
    const order = await orderFor(row, codec.buildRaw(row.terms, blockhash).bytesHex);
    return { op: 'signSolana', order, cause, body } as const;
  };

  describe.each(Object.entries(MESSAGES))('%s', (_what, message) => {
    const whole = wireOf(message, [null]);
    test.each([
      ['the message in hex', message.toString('hex')],
      ['the message in 0x-hex', `0x${message.toString('hex').toUpperCase()}`],
      ['the message in base64', message.toString('base64')],
      ['the transaction in hex', whole.toString('hex')],
      ['the transaction in base64', whole.toString('base64')],
    ])('as %s: the worker’s order is accepted', async (_form, text) => {
      expect(answerTo(await sampleOf(text))).toEqual({ feeSponsorId: null });
    });

    test('no change of a member is accepted', async () => {
      const asked = await sampleOf(message.toString('hex'));
      // The judge compares the bytes with the digest of the call.
      const beside = (path: string) => free(path) || path.startsWith('order.bytesHex') || path === 'order.intent.from dropped';
      expect(freePlaces(asked).filter((path) => !beside(path))).toEqual([]);
    });
  });

  test('a text that is neither hex nor base64 is refused', async () => {
    const text = MESSAGES['a transfer'].toString('base64');
    const asked = await sampleOf(text);
    for (const transaction of [`${text}!`, `${text}\n`, ` ${text}`, `${text.slice(0, 8)}-${text.slice(8)}`, '--'])
      expect(isRefused({ ...asked, body: { ...asked.body, transaction } })).toBe(true);
  });

  test('if the body specifies a blockhash, the order must have this blockhash', async () => {
    const named = await sampleOf(MESSAGES['a transfer'].toString('hex'));
    const { bytesHex } = (await sampleOf(MESSAGES['an open blockhash'].toString('hex'))).order;
    expect(bytesHex).toBe(named.order.bytesHex);
    const later = messageOf({ signers: [from], instructions: [move], blockhash: mint });
    expect(isRefused({ ...named, order: { ...named.order, bytesHex: `0x${later.toString('hex')}` } })).toBe(true);
  });

  test('a transaction with a signature, with other signers or with trailing bytes is refused', async () => {
    const message = MESSAGES['a transfer'];
    const asked = await sampleOf(message.toString('hex'));
    const refused = (bytes: Buffer) => isRefused({ ...asked, body: { ...asked.body, transaction: bytes.toString('base64') } });
    expect(refused(wireOf(message, [null]))).toBe(false);
    expect(refused(wireOf(message, [new Uint8Array(64).fill(1)]))).toBe(true);
    expect(refused(wireOf(message, [null, null]))).toBe(true);
    expect(refused(wireOf(message, []))).toBe(true);
    expect(refused(Buffer.concat([message, Buffer.of(0)]))).toBe(true);
  });

  test('a sponsor, a memo or a new account is refused', async () => {
    const asked = await sampleOf(MESSAGES['a transfer'].toString('hex'));
    const { order } = asked;
    expect(isRefused({ ...asked, order: { ...order, sponsor: mint } })).toBe(true);
    for (const more of [{ memo: 'Hello' }, { createsDestination: true }, { nonceAccounts: 1 }])
      expect(isRefused({ ...asked, order: { ...order, intent: { ...order.intent, ...more } } })).toBe(true);
  });

  describe('nonce accounts', () => {
    const bytesFor = async (seeds: readonly string[], authority = from) => {
      const accounts = await Promise.all(seeds.map(async (seed) => ({ seed, address: await codec.seedAddress(from, seed) })));
      return codec.buildNonceAccounts(
        { from, authority, accounts, rentUnits: 1_447_680n },
        { lifetime: ofBlockhash, computeUnitLimit: 900, microLamportsPerUnit: 3n },
      ).bytesHex;
    };
    const creation = async (body: Readonly<Record<string, unknown>>, bytesHex: string) => {
      const terms = { ...codec.termsOf(bytesHex, from, 'body'), blockhash: null };
      const order = await orderFor(transactionRow(wallet, body, { terms }), bytesHex);
      return { op: 'signSolana', order, cause, body } as const;
    };

    test('the worker’s order is accepted, and every changed member is refused', async () => {
      const body = { kind: 'CreateSolanaNonceAccounts', count: 2, nonceAuthority: from, priority: 'Fast', externalId: 'na-1' };
      const asked = await creation(body, await bytesFor(nonceSeeds.slice(3, 5)));
      expect(answerTo(asked)).toEqual({ feeSponsorId: null });
      // The judge compares the bytes with the digest of the call. The digest may change here, because the chain decides it.
      const beside = /^(body\.(priority|nonceAuthority dropped)|order\.(intent\.callDigest$|bytesHex))/;
      expect(freePlaces(asked).filter((path) => !free(path) && !beside.test(path))).toEqual([]);
    });

    test('accounts for another wallet need the signed text, and the seeds of this wallet', async () => {
      const body = { kind: 'CreateSolanaNonceAccounts', nonceAuthority: recipient };
      const seeds = nonceSeedsOf(from, recipient).slice(0, 1);
      const asked = await creation(body, await bytesFor(seeds, recipient));
      expect(isRefused(asked)).toBe(false);
      expect(isRefused({ ...asked, body: { kind: body.kind } })).toBe(true);
      expect(isRefused({ ...asked, body: { ...body, nonceAuthority: mint } })).toBe(true);
      for (const bytesHex of [
        await bytesFor(seeds),
        await bytesFor(nonceSeeds.slice(0, 1), recipient),
        await bytesFor(seeds, mint),
      ])
        expect(isRefused({ ...asked, order: { ...asked.order, bytesHex } })).toBe(true);
    });

    test('an order that also specifies a nonce account for its own lifetime is refused', async () => {
      const asked = await creation({ kind: 'CreateSolanaNonceAccounts' }, await bytesFor(nonceSeeds.slice(0, 1)));
      expect(isRefused({ ...asked, order: { ...asked.order, nonceAccount } })).toBe(true);
    });

    test('an order with another account as its sender is refused', async () => {
      const asked = await creation({ kind: 'CreateSolanaNonceAccounts' }, await bytesFor(nonceSeeds.slice(0, 1)));
      const intent = { ...asked.order.intent, from: recipient, to: recipient };
      expect(isRefused({ ...asked, order: { ...asked.order, intent } })).toBe(true);
    });

    test('without a count the order is for one account', async () => {
      const body = { kind: 'CreateSolanaNonceAccounts' };
      const asked = await creation(body, await bytesFor(nonceSeeds.slice(0, 1)));
      expect(isRefused(asked)).toBe(false);
      expect(isRefused({ ...asked, body: { ...body, count: 2 } })).toBe(true);
    });

    test('bytes that create different accounts are refused', async () => {
      const asked = await creation({ kind: 'CreateSolanaNonceAccounts' }, await bytesFor(nonceSeeds.slice(0, 1)));
      const wrong = [await bytesFor(['other-seed']), await bytesFor(nonceSeeds.slice(0, 2)), transferBytes(ofBlockhash)];
      for (const bytesHex of [...wrong, await bytesFor(nonceSeeds.slice(0, 1), recipient)])
        expect(isRefused({ ...asked, order: { ...asked.order, bytesHex } })).toBe(true);
    });
  });

  test('this file has a body for every kind of raw transaction on Solana', () => {
    expect(solanaBodies.transactions.map(({ shape }) => shape.kind.value)).toEqual(['CreateSolanaNonceAccounts']);
  });
});
