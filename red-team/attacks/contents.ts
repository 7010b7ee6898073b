import { generateKeyPairSync, sign } from 'node:crypto';
import type { Random } from '../../drill/chaos/random';
import { newId } from '../../platform/ids';
import type { Content, Order } from '../orders';
import { orderOf, payloadOrder, solanaCodec, solanaOrder, sponsoredOrder } from '../orders';
import { COINS, EVM, SOLANA, WALLET_NAMES, type Wallet } from '../organization';
import { type Attack, type Attempt, evidenceOf, type Scene } from './attack';

/** The thief's addresses, one for each family. */
export const THIEF = {
  [EVM]: '0x00000000000000000000000000000000000dead1',
  [COINS]: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
  [SOLANA]: '8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR',
} as const;
const thiefOf = ({ row: { network } }: Wallet) => THIEF[network === COINS || network === SOLANA ? network : EVM];

const CHANGES: readonly ((content: Content, wallet: Wallet, random: Random) => Partial<Content>)[] = [
  (_content, wallet) => ({ to: thiefOf(wallet) }),
  ({ amountUnits }) => ({ amountUnits: amountUnits + 1n }),
  ({ amountUnits }) => ({ amountUnits: amountUnits - 1n }),
  ({ amountUnits }, _wallet, random) => ({ amountUnits: amountUnits * BigInt(random.oneOf([2, 10, 1_000])) }),
  ({ from }) => ({ to: from }),
  ({ from }, wallet) => ({ to: from, amountUnits: wallet.row.network === COINS ? 0n : 1n }),
  ({ from }) => ({ to: from, amountUnits: 0n }),
  ({ claim }) => ({ claim: claim + 1 }),
  ({ claim }) => ({ claim: claim + 2 }),
  ({ claim }) => ({ claim: Math.max(0, claim - 1) }),
  ({ price }) => ({ price: price + 1n }),
  ({ price }) => ({ price: price * 1_000n + 100_000n }),
  ({ price }) => ({ price: price > 0n ? price - 1n : 1n }),
  () => ({ memo: 'account of the thief' }),
  () => ({ elsewhere: 'PolygonAmoy' }),
  () => ({ elsewhere: 'Ethereum' }),
  () => ({ coins: [0] }),
  () => ({ coins: [1, 0] }),
  () => ({ asset: { kind: 'Erc20', contract: '0x00000000000000000000000000000000000dead2' } }),
  (_content, wallet) => ({ sponsor: thiefOf(wallet) }),
  () => ({ amountUnits: 10n ** 15n }),
];

function changedContent({ genuine: { content, wallet }, random }: Scene, times: number): Content | undefined {
  let changed = content;
  for (let at = 0; changed && at < times; at += 1) changed = { ...changed, ...random.oneOf(CHANGES)(changed, wallet, random) };
  return changed;
}

/** An order for changed content with the evidence of the genuine order. The bytes and the intent agree. */
function rebuilt(scene: Scene, times: number): Order | undefined {
  const { genuine, random } = scene;
  const content = changedContent(scene, times);
  if (!content) return undefined;
  const requestId = random.share() < 0.6 ? (genuine.order.requestId ?? '') : newId('transfer');
  try {
    const order = genuine.build(genuine.wallet, requestId, content);
    return { ...order, evidence: evidenceOf(genuine.order) };
  } catch {
    // The builder refuses some contents, such as an amount above the value of the coins.
    return undefined;
  }
}

/** A payment from another wallet of the organisation, with the genuine evidence. */
function fromOther({ genuine, organization, random }: Scene): Order | undefined {
  const { content, order } = genuine;
  const wallet = organization.wallets[random.oneOf(WALLET_NAMES)];
  if (!content || wallet.row.network !== genuine.wallet.row.network) return undefined;
  const requestId = random.share() < 0.5 ? (order.requestId ?? '') : newId('transfer');
  const made = orderOf(wallet, requestId, { ...content, from: wallet.row.address });
  return { ...made, evidence: evidenceOf(order) };
}

/** The genuine intent and evidence with the bytes of changed content. */
function bytesAgainstIntent(scene: Scene): Order | undefined {
  const other = rebuilt(scene, 1);
  return other && { ...scene.genuine.order, bytesHex: other['bytesHex'] };
}

/** A replacement of the order (`replaces`), mostly with changed content. A replacement does not need a person's signature. */
function replacing(scene: Scene): Order | undefined {
  const { genuine, other, random } = scene;
  const changes = random.share() < 0.3 ? genuine.content : changedContent(scene, random.whole(1, 2));
  if (!changes) return undefined;
  const replaces = random.oneOf([genuine, genuine, other]).order.requestId;
  try {
    const order = genuine.build(genuine.wallet, newId('transfer'), changes);
    const evidence = random.share() < 0.3 ? { evidence: evidenceOf(genuine.order) } : {};
    return { ...order, replaces, ...evidence };
  } catch {
    return undefined;
  }
}

/**
 * An order that only uses up a claim (a nonce or coins), mostly with a forbidden addition. Such an order does not need a
 * person's signature.
 */
function filler({ genuine: { content, wallet, order }, random, organization }: Scene): Order | undefined {
  if (!content) return undefined;
  const idle = { ...content, to: content.from, amountUnits: 0n };
  const { memo: _memo, sponsor: _sponsor, asset: _asset, ...plain } = idle;
  const twist = random.oneOf<object>([
    {},
    { memo: 'more' },
    { sponsor: organization.wallets[wallet.row.network === SOLANA ? 'payer' : 'sponsor'].row.address },
    { asset: { kind: 'Erc20', contract: '0x00000000000000000000000000000000000dead2' } },
    { to: thiefOf(wallet) },
    { claim: content.claim + random.whole(1, 7) },
  ]);
  try {
    const made = orderOf(wallet, newId('transfer'), { ...plain, ...twist });
    return random.share() < 0.5 ? made : { ...made, replaces: order.requestId };
  } catch {
    return undefined;
  }
}

/** The order for the sponsor's signature, without a valid signature of the sender. */
function asSponsor({ genuine, organization, random }: Scene): Order | undefined {
  const { content, order, wallet } = genuine;
  if (!content || wallet.row.network === COINS) return undefined;
  const requestId = random.share() < 0.7 ? (order.requestId ?? '') : newId('transfer');
  const { payer, sponsor } = organization.wallets;
  const halves = { r: `0x${'11'.repeat(32)}`, s: `0x${'11'.repeat(32)}` };
  try {
    if (wallet.row.network === SOLANA)
      return solanaOrder(payer, requestId, { ...content, sponsor: payer.row.address }, '11'.repeat(64));
    const paid = { ...content, sponsor: sponsor.row.address };
    const half = sponsoredOrder(sponsor, requestId, paid);
    return { ...half, part: 'Transaction', bytesHex: random.share() < 0.5 ? half['bytesHex'] : signedHalf(halves) };
  } catch {
    return undefined;
  }
}
const signedHalf = ({ r, s }: { readonly r: string; readonly s: string }) => `${r}${s.slice(2)}`;

/** A Solana message from the attacker's own key, for which the organisation's sponsor would pay the fee. */
function forStranger({ genuine, organization, random }: Scene): Order {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const from = solanaCodec.addressOf(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex'));
  const { payer } = organization.wallets;
  const claim = genuine.content?.claim ?? 1;
  const content = { from, to: random.oneOf([from, THIEF[SOLANA]]), amountUnits: 0n, claim, price: 1_000n };
  const requestId = random.oneOf([genuine.order.requestId ?? '', newId('transfer')]);
  const sponsored = { ...content, sponsor: payer.row.address };
  const { bytesHex } = solanaOrder(payer, requestId, sponsored);
  const walletSignatureHex = sign(null, Buffer.from(String(bytesHex).slice(2), 'hex'), privateKey).toString('hex');
  const order = solanaOrder(payer, requestId, sponsored, walletSignatureHex);
  return random.share() < 0.5 ? order : { ...order, replaces: genuine.order.requestId, evidence: evidenceOf(genuine.order) };
}

/** A request to sign a different payload, with the evidence of the genuine order. */
function otherPayload({ genuine, random }: Scene): Order {
  const { order, wallet } = genuine;
  const bytesHex = String(order['bytesHex'] ?? '0x00');
  const payload = random.oneOf<object>([
    { kind: 'Hash', digestHex: `0x${Buffer.from(random.bytes(32)).toString('hex')}` },
    { kind: 'Message', messageHex: `0x${Buffer.from(random.bytes(16)).toString('hex')}` },
    { kind: 'Eip191', messageHex: '0x616263' },
    { kind: 'EvmTransaction', bytesHex },
    { kind: 'SolanaTransaction', network: SOLANA, bytesHex },
    { kind: 'Psbt', network: COINS, bytesHex },
    { kind: 'Bip322', network: COINS, messageHex: '0x616263', format: 'Simple' },
    { kind: 'Eip7702', chainId: 0, address: THIEF[EVM], nonce: 0 },
    { kind: 'Eip712', typedData: JSON.stringify({ types: { A: [] }, domain: { name: 'x' }, message: {}, primaryType: 'A' }) },
  ]);
  const requestId = random.share() < 0.5 ? (order.requestId ?? '') : newId('signature');
  return { ...payloadOrder(wallet, requestId, payload), evidence: evidenceOf(order) };
}

/** A genuine order with its evidence under a second request id, which would be a second payment. */
function again({ genuine: { order, content, wallet, build }, random }: Scene): Order | undefined {
  const requestId = newId('transfer');
  if (!content) return { ...order, requestId };
  const made = build(wallet, requestId, { ...content, claim: content.claim + random.whole(1, 6) * 2 });
  return { ...made, evidence: evidenceOf(order), ...(random.share() < 0.3 ? { intentId: `transfer:${requestId}` } : {}) };
}

/** Usually sends the genuine order first. */
function secondPayment(scene: Scene): Attempt | undefined {
  const order = again(scene);
  if (!order) return undefined;
  return scene.random.share() < 0.8 ? { order, before: scene.genuine.order } : { order };
}

const attempt = (order: Order | undefined) => (order === undefined ? undefined : { order });

/** Complete orders whose content differs from the content that people signed. */
export const CONTENT_ATTACKS: readonly Attack[] = [
  { kind: 'other content', weight: 14, make: (scene) => attempt(rebuilt(scene, 1)) },
  { kind: 'other content in several points', weight: 5, make: (scene) => attempt(rebuilt(scene, scene.random.whole(2, 3))) },
  { kind: 'payment from another wallet', weight: 5, make: (scene) => attempt(fromOther(scene)) },
  { kind: 'bytes against the intent', weight: 5, make: (scene) => attempt(bytesAgainstIntent(scene)) },
  { kind: 'changed repetition', weight: 9, make: (scene) => attempt(replacing(scene)) },
  { kind: 'order that moves nothing, with an addition', weight: 5, make: (scene) => attempt(filler(scene)) },
  { kind: 'half of the sponsor', weight: 3, make: (scene) => attempt(asSponsor(scene)) },
  { kind: 'sponsor for a stranger', weight: 3, make: (scene) => ({ order: forStranger(scene) }) },
  { kind: 'signature of other content', weight: 5, make: (scene) => attempt(otherPayload(scene)) },
  { kind: 'second payment', weight: 8, make: secondPayment },
];
