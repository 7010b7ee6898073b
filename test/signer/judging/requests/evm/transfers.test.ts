import { CAPABILITIES } from '../../../../../domain/capabilities';
import type { NetworkName } from '../../../../../domain/networks';
import { answerTo, freePlaces, isRefused } from '../changes';
import { SPONSOR, transferRow } from '../requested-orders';
import { evmOrder, FREE_IN_ORDER, FROM, sponsoredOrder, TO, TOKEN, walletOn } from './evm-orders';

const cause = 'transferAsset';
const encryptedAmount = { handle: `0x${'11'.repeat(32)}`, inputProof: '0x22' };
const travelRule = { kind: 'TravelRuleVendor', originator: { name: 'A' }, beneficiary: { name: 'B' } };

const BODIES = {
  Native: { kind: 'Native', to: TO, amount: '1000', priority: 'Fast', externalId: 'pay-7', travelRule },
  Erc20: { kind: 'Erc20', contract: TOKEN.toLowerCase(), to: TO, amount: '1000' },
  Erc7984: { kind: 'Erc7984', contract: TOKEN, to: TO.toLowerCase(), amount: '0', externalId: 'pay-8' },
  Erc721: { kind: 'Erc721', contract: TOKEN, tokenId: '71', to: TO, priority: 'Slow' },
} as const;
type Kind = keyof typeof BODIES;
const KINDS = Object.keys(BODIES) as Kind[];
const free = (path: string) =>
  /^body\.(priority|travelRule)/.test(path) ||
  new RegExp(`^order\\.(${FREE_IN_ORDER.join('|')}|nonce|network|sponsor( dropped)?$|part|intent\\.from)`).test(path) ||
  /^order\.encrypted\./.test(path);

const rowOf = (kind: Kind, more: object = {}, network: NetworkName = 'EthereumSepolia') =>
  transferRow(walletOn(network), { ...BODIES[kind], ...more }, kind === 'Erc7984' ? { encryptedAmount } : {});

test('this file has a body for every kind of transfer on EVM networks', () => {
  const { evm } = CAPABILITIES;
  expect([...KINDS].sort()).toEqual([...evm.transferKinds].sort());
});

test.each(KINDS)('%s: the worker’s order is accepted, and every changed member is refused', async (kind) => {
  const asked = { op: 'signTransfer', order: await evmOrder(rowOf(kind)), cause, body: BODIES[kind] } as const;
  expect(answerTo(asked)).toEqual({ feeSponsorId: null });
  expect(freePlaces(asked).filter((path) => !free(path))).toEqual([]);
});

test.each(KINDS)('%s: with a sponsor, both parts are accepted, and every changed member is refused', async (kind) => {
  const body = { ...BODIES[kind], feeSponsorId: SPONSOR };
  const order = await sponsoredOrder(rowOf(kind, { feeSponsorId: SPONSOR }));
  const asked = { op: 'signSponsored', order, cause, body } as const;
  expect(answerTo(asked)).toEqual({ feeSponsorId: SPONSOR });
  expect(answerTo({ ...asked, order: { ...order, part: 'Transaction' } })).toEqual({ feeSponsorId: SPONSOR });
  // The caller compares the sponsor in the body with the sponsor of the order.
  expect(freePlaces(asked).filter((path) => !free(path) && path !== 'body.feeSponsorId')).toEqual([]);
  expect(isRefused({ ...asked, body: BODIES[kind] })).toBe(true);
});

test('a body with a sponsor does not permit an order without one', async () => {
  const order = await evmOrder(rowOf('Native'));
  expect(isRefused({ op: 'signTransfer', order, cause, body: { ...BODIES.Native, feeSponsorId: SPONSOR } })).toBe(true);
});

test('an order with an additional member is refused', async () => {
  const order = await evmOrder(rowOf('Native'));
  const refused = (more: object) => isRefused({ op: 'signTransfer', order: { ...order, ...more }, cause, body: BODIES.Native });
  expect(refused({ replaces: 'tr-0' })).toBe(true);
  expect(refused({ encrypted: encryptedAmount })).toBe(true);
  expect(refused({ intent: { ...order.intent, callDigest: '0'.repeat(64) } })).toBe(true);
  const unnamed = { ...BODIES.Erc20 };
  const ofToken = await evmOrder(rowOf('Erc20'));
  expect(isRefused({ op: 'signTransfer', order: { ...ofToken, intentId: 'transfer:x' }, cause, body: unnamed })).toBe(true);
});

test('a different valid address in lower case is refused, and every spelling of the same address is accepted', async () => {
  const order = await evmOrder(rowOf('Native', {}, 'XdcApothem'));
  const refusedTo = (to: string) => isRefused({ op: 'signTransfer', order, cause, body: { ...BODIES.Native, to } });
  expect(refusedTo(FROM.toLowerCase())).toBe(true);
  const digits = TO.slice(2);
  for (const to of [TO, TO.toLowerCase(), `0x${digits.toUpperCase()}`, `xdc${digits}`, `xdc${digits.toLowerCase()}`])
    expect([to, refusedTo(to)]).toEqual([to, false]);
  expect(refusedTo(`eth${digits}`)).toBe(true);
});

test.each([
  ['another operation', { cause: 'broadcastTransaction' }],
  ['a cancellation', { cause: 'cancelTransfer' }],
  ['a request for a signature', { cause: 'walletsGenerateSignature' }],
] as const)('%s is not a request for a transfer', async (_what, more) => {
  const order = await evmOrder(rowOf('Native'));
  expect(isRefused({ op: 'signTransfer', order, body: BODIES.Native, ...more })).toBe(true);
});

test('a network of another family is refused', async () => {
  const order = await evmOrder(rowOf('Native'));
  for (const network of ['SolanaDevnet', 'BitcoinTestnet4', 'Nowhere'])
    expect(isRefused({ op: 'signTransfer', order: { ...order, network }, cause, body: BODIES.Native })).toBe(true);
});
