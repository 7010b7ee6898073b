import type { Signed } from '../../signer/record/signing-entries';
import type { SignOptions } from '../../signer/schemes/scheme';

/** What the bytes move, as the decoder of the device reads them. */
export type MovedOffline = {
  /** `native`, or the address of a contract or mint. */
  readonly asset: string;
  /** Empty if everything returns to the sender. */
  readonly recipients: readonly string[];
  readonly amountUnits: bigint;
  readonly tokenId?: string;
};

export type ToSign = { readonly message: Uint8Array; readonly options?: SignOptions | undefined };

/** What a person at the device sees of the bytes. */
export type ScreenReading = {
  readonly isMessage: boolean;
  /** Undefined if the bytes do not show who receives which amount. */
  readonly effect: MovedOffline | undefined;
  /** The highest fee, by asset. */
  readonly feeUnits: Readonly<Record<string, bigint>>;
  /** Further lines for the screen: nonce, coins, memo, text. */
  readonly details: readonly string[];
};

/** One request after the device has judged and read its bytes. */
export type JudgedRequest = ScreenReading & {
  /** The network of the transaction or, for other content, the only network on which it has an effect, if the content shows it. */
  readonly network: string | undefined;
  /** The network of the transaction. Undefined if no transaction is signed. */
  readonly transactionOn: string | undefined;
  /** The request as the signer records it. */
  readonly signed: Signed;
  /** Everything that only one payload may use up: a nonce, coins or the value of a durable nonce. */
  readonly claims: readonly string[];
  /** One message for each signature, in order. */
  readonly messages: readonly [ToSign, ...ToSign[]];
};
