import { newId } from '../platform/ids';
import { callsEffect, coinsEffect, evmEffect, solanaEffect } from './effects';
import {
  type Answer,
  addressWord,
  askerOf,
  contentFor,
  EVM_PRICE,
  hexOf,
  type Made,
  type Making,
  signatureOf,
  TOKEN,
  wordOf,
} from './making';
import { type Content, evmCodec, feesOf, type Order, orderOf, solanaOrder, sponsoredOrder } from './orders';
import { COINS, EVM, EVM_CHAIN_ID, SOLANA, type Wallet, type WalletName } from './organization';
import { RAW_MAKERS } from './raw-honest';

const tokenData = (to: string, units: bigint) => `0xa9059cbb${addressWord(to)}${wordOf(units)}`;

/** The effect that the body of a payment requests. */
function effectOf({ row: { network } }: Wallet, { from, to, amountUnits, asset, memo, sponsor }: Content): string {
  if (network === COINS) return coinsEffect(from, to, amountUnits);
  if (network === SOLANA) return solanaEffect(from, to, amountUnits, memo, sponsor);
  if (sponsor !== undefined) return callsEffect(from, to, amountUnits, sponsor);
  if (asset?.kind === 'Erc20') return evmEffect(from, asset.contract, 0n, tokenData(to, amountUnits));
  return evmEffect(from, to, amountUnits, '0x');
}

/** The envelope that people see when they approve the order. */
export function envelopeOf(order: Order, { from, to, amountUnits, memo }: Content): object {
  const options = memo === undefined ? {} : { options: { memo } };
  const { network, feeCeilingUnits } = order;
  return { network, from, to, asset: 'native', amountUnits: amountUnits.toString(), feeCeilingUnits, ...options };
}

type Make = (making: Making) => Made;

type Paid = { readonly more?: Partial<Content>; readonly body?: object };

/** A payment from a wallet, requested with the operation `transferAsset`. */
export function payment({ organization, number }: Making, name: WalletName, { more = {}, body = {} }: Paid = {}) {
  const { wallets, people } = organization;
  const wallet = wallets[name];
  const content = contentFor(wallet, { number }, more);
  const order = orderOf(wallet, newId('transfer'), content);
  const { to, amountUnits, memo } = content;
  const options = { ...(memo === undefined ? {} : { memo }), ...('nonceAccount' in order ? { useDurableNonce: true } : {}) };
  const asked = { kind: 'Native', to, amount: amountUnits.toString(), ...options, ...body };
  const evidence = [people.asked(askerOf(organization, name), `/wallets/${wallet.row.id}/transfers`, asked)];
  return { wallet, content, build: orderOf, order: { ...order, evidence }, effect: effectOf(wallet, content) };
}

function heldPayment(making: Making, name: WalletName, more: Partial<Content> = {}) {
  const { people } = making.organization;
  const paid = payment(making, name, { more });
  const { order, content } = paid;
  const approval = people.approvalOf(order.requestId ?? '', envelopeOf(order, content));
  const votes = [people.voteOf(people.ben, approval), bulkOrSingle(making, approval)];
  return { ...paid, order: { ...order, evidence: [...(order.evidence ?? []), approval, ...votes] } };
}

function bulkOrSingle({ organization: { people }, random }: Making, approval: ReturnType<typeof people.approvalOf>) {
  const { approvalId, digest } = approval;
  if (random.share() < 0.5) return people.voteOf(people.cyd, approval);
  return people.bulkVoteOf(people.cyd, [
    { approvalId: newId('approval'), digest: digest.replace(/./, '0') },
    { approvalId, digest },
  ]);
}

/** The same payment again with a higher fee, which does not need a person's signature. */
const faster = (wallet: Wallet, content: Content, order: Order, step: bigint): Order => ({
  ...orderOf(wallet, newId('transfer'), { ...content, price: content.price + step }),
  replaces: order.requestId,
});

function typedData(making: Making) {
  const { number } = making;
  const types = { Mail: [{ name: 'units', type: 'uint256' }] };
  const domain = { name: 'Mail', chainId: EVM_CHAIN_ID };
  const described = { types, domain, message: { units: String(number) } };
  const text = JSON.stringify({ ...described, types: { EIP712Domain: DOMAIN, ...types }, primaryType: 'Mail' });
  return signatureOf(making, 'free', { payload: { kind: 'Eip712', typedData: text }, body: { kind: 'Eip712', ...described } });
}
const DOMAIN = [
  { name: 'name', type: 'string' },
  { name: 'chainId', type: 'uint256' },
];

function signedTransaction(making: Making) {
  const wallet = making.organization.wallets.free;
  const { to, amountUnits, claim, from } = contentFor(wallet, making);
  const call = { type: 2 as const, to, valueUnits: amountUnits.toString(), dataHex: '0x', accessList: [], authorizationList: [] };
  const { bytesHex } = evmCodec.buildCall(call, claim, feesOf(EVM_PRICE));
  const body = { kind: 'Transaction', network: EVM, transaction: { to, value: amountUnits.toString() } };
  const made = signatureOf(making, 'free', { payload: { kind: 'EvmTransaction', bytesHex }, body });
  return { ...made, effect: evmEffect(from, to, amountUnits, '0x') };
}

function heldMessage(making: Making) {
  const { people } = making.organization;
  const message = hexOf(`held message ${making.number}`);
  const payload = { kind: 'Message', messageHex: message };
  const made = signatureOf(making, 'held', { payload, body: { kind: 'Message', message } });
  const approval = people.approvalOf(made.order.requestId ?? '', { keyId: made.wallet.row.keyId, payload });
  const votes = [people.voteOf(people.ben, approval), people.voteOf(people.cyd, approval)];
  return { ...made, order: { ...made.order, evidence: [...(made.order.evidence ?? []), approval, ...votes] } };
}

function sponsoredPayment(making: Making) {
  const { wallets, sponsors } = making.organization;
  const sponsor = wallets.sponsor.row.address;
  const paid = payment(making, 'free', { more: { sponsor }, body: { feeSponsorId: sponsors.evm } });
  const next = ({ signatures }: Answer) =>
    sponsoredOrder(wallets.sponsor, paid.order.requestId ?? '', paid.content, signatures as never);
  return { ...paid, next };
}

function sponsoredMessage(making: Making) {
  const { wallets, sponsors } = making.organization;
  const sponsor = wallets.payer.row.address;
  const paid = payment(making, 'sender', { more: { sponsor }, body: { feeSponsorId: sponsors.solana } });
  const next = ({ signatures: [first] }: Answer) => {
    const walletSignatureHex = `${first?.r.slice(2)}${first?.s.slice(2)}`;
    return solanaOrder(wallets.payer, paid.order.requestId ?? '', paid.content, walletSignatureHex);
  };
  return { ...paid, next };
}

function tokenPayment(making: Making) {
  const asset = { kind: 'Erc20', contract: TOKEN } as const;
  return payment(making, 'free', { more: { asset }, body: { kind: 'Erc20', contract: TOKEN } });
}

const repeated = (making: Making, name: WalletName, step: bigint) => {
  const paid = payment(making, name);
  return { ...paid, next: () => faster(paid.wallet, paid.content, paid.order, step) };
};

/** Every kind of order that the charter permits. */
const MAKERS = {
  ...RAW_MAKERS,
  payment: (making) => payment(making, 'free'),
  'payment of an end user': (making) => payment(making, 'personal'),
  'Solana payment of an end user': (making) => payment(making, 'personalSender'),
  'message of an end user': (making) => {
    const message = hexOf(`own message ${making.number}`);
    const payload = { kind: 'Message', messageHex: message };
    return signatureOf(making, 'personal', { payload, body: { kind: 'Message', message } });
  },
  'repeated payment of an end user': (making) => repeated(making, 'personal', 1_000n),
  'token payment': tokenPayment,
  'payment within a limit': (making) => payment(making, 'limited'),
  'payment to a listed recipient': (making) => payment(making, 'listed'),
  'approved payment': (making) => heldPayment(making, 'held'),
  'repeated payment': (making) => repeated(making, 'free', 1_000n),
  'sponsored payment': sponsoredPayment,
  'payment of coins': (making) => payment(making, 'coins'),
  'approved payment of coins': (making) => heldPayment(making, 'heldCoins'),
  'repeated payment of coins': (making) => repeated(making, 'coins', 300n),
  'Solana payment': (making) => payment(making, 'sender', { more: { memo: `order ${making.number}` } }),
  'approved Solana payment': (making) => heldPayment(making, 'heldSender'),
  'sponsored Solana payment': sponsoredMessage,
  message: (making) => {
    const message = hexOf(`message ${making.number}`);
    return signatureOf(making, 'free', { payload: { kind: 'Message', messageHex: message }, body: { kind: 'Message', message } });
  },
  'approved message': heldMessage,
  'typed data': typedData,
  'signed transaction': signedTransaction,
} as const satisfies Readonly<Record<string, Make>>;
export type HonestKind = keyof typeof MAKERS;
export const HONEST_KINDS = Object.keys(MAKERS) as HonestKind[];
export type Genuine = Made & { readonly kind: HonestKind };

export const genuineOf = (kind: HonestKind, making: Making): Genuine => ({ kind, ...MAKERS[kind](making) });
