import type { Signatory } from '../bench/signatory';
import type { Random } from '../drill/chaos/random';
import { newId } from '../platform/ids';
import { payloadEffect } from './effects';
import { type Content, coinCodec, evmCodec, type Order, orderOf, payloadOrder, solanaCodec } from './orders';
import { COINS, EVM, isPersonal, LISTED, type Organization, SOLANA, type Wallet, type WalletName } from './organization';

export type Answer = { readonly signatures: readonly { readonly r: string; readonly s: string; readonly recoveryId?: number }[] };
export type Build = (wallet: Wallet, requestId: string, content: Content) => Order;

/** An order with its evidence, and the effect that people requested. */
export type Made = {
  readonly wallet: Wallet;
  readonly order: Order;
  /** The text of the requested effect, in the format that `effectsOf` returns. */
  readonly effect: string;
  /** Present only if the order is a payment or a transaction. */
  readonly content?: Content;
  /** Makes the order for changed content. */
  readonly build: Build;
  /** The worker's next order after the signer's reply: for the sponsor's signature, or for the same payment with a higher fee. */
  readonly next?: (answer: Answer) => Order;
};

/** The input for making a genuine order. The number is unique in a run. */
export type Making = { readonly organization: Organization; readonly number: number; readonly random: Random };

/** The claims of consecutive orders are about sixteen apart, so that a changed claim does not belong to another order. */
const CLAIMS_APART = 16;
export const EVM_PRICE = 1_000_000_000n;

const RECIPIENTS = {
  [EVM]: evmCodec.addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5'),
  [COINS]: coinCodec.addressOf('02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5'),
  [SOLANA]: solanaCodec.addressOf('8139770ea87d175f56a35466c34c7ecccb8d8a91b4ee37a25df60f5b8fc9b394'),
} as const;
export const TOKEN = '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238';

const recipientOf = ({ row: { network }, name }: Wallet): string => {
  if (name === 'listed') return LISTED;
  return network === COINS || network === SOLANA ? RECIPIENTS[network] : RECIPIENTS[EVM];
};

export const wordOf = (value: bigint) => value.toString(16).padStart(64, '0');
export const addressWord = (address: string) => address.slice(2).toLowerCase().padStart(64, '0');
export const hexOf = (text: string) => `0x${Buffer.from(text, 'utf8').toString('hex')}`;

export function contentFor(wallet: Wallet, { number }: Pick<Making, 'number'>, more: Partial<Content> = {}): Content {
  const price = wallet.row.network === EVM ? EVM_PRICE : 1_000n;
  const amountUnits = BigInt(1_000 + number);
  const of = { from: wallet.row.address, to: recipientOf(wallet), amountUnits, claim: number * CLAIMS_APART + (number % 2) };
  return { ...of, price: wallet.row.network === COINS ? 0n : price, ...more };
}

/** The person who requests orders from this wallet. */
export const askerOf = ({ people }: Organization, name: WalletName): Signatory => (isPersonal(name) ? people.zoe : people.ada);

/** A signature with the key of a wallet, requested with the operation `keysGenerateSignature`. */
export function signatureOf(making: Making, name: WalletName, { payload, body }: { payload: object; body: object }): Made {
  const { wallets, people } = making.organization;
  const wallet = wallets[name];
  const order = payloadOrder(wallet, newId('signature'), payload);
  const evidence = [people.asked(askerOf(making.organization, name), `/keys/${wallet.row.keyId}/signatures`, body)];
  const signer = wallet.row.network === EVM ? wallet.row.address : wallet.key.publicKeyHex;
  return { wallet, build: orderOf, order: { ...order, evidence }, effect: payloadEffect(signer, payload) };
}
