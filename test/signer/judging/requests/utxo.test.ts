import { createUtxoSigning } from '../../../../activities/outgoing/utxo/signing';
import { utxoBodies } from '../../../../application/bodies/utxo/bodies';
import { utxoCodecOf } from '../../../../chains/codecs';
import { CAPABILITIES } from '../../../../domain/capabilities';
import type { NetworkName } from '../../../../domain/networks';
import type { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';
import type { SignUtxoOrder } from '../../../../signer/protocol';
import { COMPRESSED, X_ONLY } from '../../../chains/utxo/coins';
import { payee, psbtFor } from '../../../chains/utxo/psbts';
import { answerTo, freePlaces, isRefused } from './changes';
import { keyRows, orderMade, transactionRow, transferRow, type Wallet } from './requested-orders';

const TESTNET = 'BitcoinTestnet4';
const walletOn = (network: NetworkName, publicKeyHex = COMPRESSED): Wallet => ({
  ...{ network, publicKeyHex },
  address: utxoCodecOf(network).addressOf(publicKeyHex),
});

/** `replaces` is the dead transaction whose coins the order spends, so the signing code need not search the database for it. */
const orderFor = (row: OutgoingEntity, publicKeyHex = COMPRESSED, unsignedHex = '0x00'): Promise<SignUtxoOrder> =>
  orderMade<'signUtxo'>((signer) => createUtxoSigning(signer, undefined as never), row, {
    rows: {
      ...keyRows(publicKeyHex, { scheme: publicKeyHex === X_ONLY ? 'Schnorr' : 'ECDSA', curve: 'secp256k1' }),
      replaces: 'tr-0',
    },
    payload: { unsignedHex },
  });

/**
 * Members that may change without a refusal here: key rows, bytes, clock, a replaced dead transaction, and what the caller of
 * `assertRequested` compares.
 */
const FREE =
  /^order\.(bytesHex|dek|sealed|feeCeilingUnits|issuedAt|notAfter|keyId|orgId|requestId|replaces|network|intent\.from)/;

describe('transfers', () => {
  const cause = 'transferAsset';
  const body = { kind: 'Native', to: payee(TESTNET), amount: '20000', externalId: 'pay-1', priority: 'Fast' };
  const free = (path: string) => FREE.test(path) || /^body\.(priority|travelRule)/.test(path);

  test('this file has a body for every kind of transfer of the Bitcoin family', () => {
    expect(CAPABILITIES.utxo).toMatchObject({ transferKinds: [body.kind], options: [] });
  });

  test('the worker’s order is accepted, and every changed member is refused', async () => {
    const order = await orderFor(transferRow(walletOn(TESTNET), body));
    const asked = { op: 'signUtxo', order, cause, body } as const;
    expect(answerTo(asked)).toEqual({ feeSponsorId: null });
    expect(freePlaces(asked).filter((path) => !free(path))).toEqual([]);
    expect(isRefused({ ...asked, order: { ...order, intent: { ...order.intent, callDigest: '0'.repeat(64) } } })).toBe(true);
    for (const more of [{ memo: 'Hello' }, { useDurableNonce: false }, { feeSponsorId: 'fs-1' }, { amount: '0' }])
      expect(isRefused({ ...asked, body: { ...body, ...more } })).toBe(true);
  });

  test.each<[NetworkName, (address: string) => string, isAccepted: boolean]>([
    [TESTNET, (address) => address.toUpperCase(), true],
    [TESTNET, (address) => `${address.slice(0, 9)}${address.slice(9).toUpperCase()}`, false],
    [TESTNET, (address) => address.replace('tb1', ''), false],
    ['BitcoinCashTestnet', (address) => address.replace('bchtest:', ''), true],
    ['BitcoinCashTestnet', (address) => address.toUpperCase(), true],
    ['BitcoinCashTestnet', (address) => address.replace('bchtest:', '').toUpperCase(), true],
    ['BitcoinCashTestnet', (address) => address.replace(/.$/, 'Q'), false],
    ['DogecoinTestnet', (address) => address, true],
    ['DogecoinTestnet', (address) => address.toUpperCase(), false],
    ['DogecoinTestnet', (address) => address.toLowerCase(), false],
    ['LitecoinTestnet', (address) => address.toUpperCase(), true],
  ])('%s: an address is accepted only in a spelling that the network allows (%#)', async (network, written, isAccepted) => {
    const canonical = { ...body, to: payee(network) };
    const order = await orderFor(transferRow(walletOn(network), canonical));
    const other = { ...canonical, to: written(payee(network)) };
    expect(isRefused({ op: 'signUtxo', order, cause, body: other })).toBe(!isAccepted);
    if (isAccepted) expect(await orderFor(transferRow(walletOn(network), other))).toEqual(order);
  });
});

test('an address in a case-sensitive encoding is refused if its case was changed', async () => {
  const order = await orderFor(transferRow(walletOn(TESTNET), { kind: 'Native', to: payee(TESTNET), amount: '20000' }));
  const asked = { op: 'signUtxo', cause: 'transferAsset', body: { kind: 'Native', to: 'MABC', amount: '20000' } } as const;
  expect(isRefused({ ...asked, order: { ...order, intent: { ...order.intent, to: 'mabc' } } })).toBe(true);
});

describe('raw transactions', () => {
  const cause = 'broadcastTransaction';
  const sampleOf = async (network: NetworkName, publicKeyHex: string, psbt: string) => {
    const body = { kind: 'Psbt', psbt, externalId: 'raw-1' };
    const row = transactionRow(walletOn(network, publicKeyHex), body);
    if (row.terms?.family !== 'utxo') throw new Error('a transaction of the Bitcoin family');
    const order = await orderFor(row, publicKeyHex, row.terms.call.psbtHex);
    return { op: 'signUtxo', order, cause, body } as const;
  };

  test.each<[string, NetworkName, string, string]>([
    ['a payment', TESTNET, COMPRESSED, psbtFor(TESTNET, COMPRESSED)],
    ['a payment from Taproot', TESTNET, X_ONLY, psbtFor(TESTNET, X_ONLY)],
    ['a PSBT that also spends coins of others', TESTNET, X_ONLY, psbtFor(TESTNET, X_ONLY, { other: 'signed' })],
    ['a payment to oneself', TESTNET, COMPRESSED, psbtFor(TESTNET, COMPRESSED, { pay: [] })],
    ['Bitcoin Cash', 'BitcoinCashTestnet', COMPRESSED, psbtFor('BitcoinCashTestnet', COMPRESSED)],
  ])('%s: the worker’s order is accepted, and every changed member is refused', async (_what, network, key, psbt) => {
    for (const text of [psbt, psbt.slice(2).toUpperCase()]) {
      const asked = await sampleOf(network, key, text);
      expect(answerTo(asked)).toEqual({ feeSponsorId: null });
      // Changed bytes are accepted here, because `judge-utxo.ts` compares the bytes with the digest of the call.
      expect(freePlaces(asked).filter((path) => !FREE.test(path))).toEqual([]);
    }
  });

  test('a different PSBT is refused, and so are the same bytes in a different kind of body', async () => {
    const asked = await sampleOf(TESTNET, COMPRESSED, psbtFor(TESTNET, COMPRESSED));
    const other = psbtFor(TESTNET, COMPRESSED, { pay: [[payee(TESTNET), 20_001n]] });
    expect(isRefused({ ...asked, body: { kind: 'Psbt', psbt: other } })).toBe(true);
    expect(isRefused({ ...asked, body: { kind: 'Transaction', transaction: asked.body.psbt } })).toBe(true);
  });

  test('a PSBT that pays several addresses is accepted', async () => {
    const pay = [[payee(TESTNET), 3_000n] as const, [utxoCodecOf(TESTNET).addressOf(X_ONLY), 2_000n] as const];
    const asked = await sampleOf(TESTNET, COMPRESSED, psbtFor(TESTNET, COMPRESSED, { pay }));
    expect(asked.order.intent).toMatchObject({ to: payee(TESTNET), amountUnits: '5000' });
    expect(isRefused(asked)).toBe(false);
  });

  test('this file has a body for every kind of raw transaction of the Bitcoin family', () => {
    expect(utxoBodies.transactions.map(({ shape }) => shape.kind.value)).toEqual(['Psbt']);
  });
});
