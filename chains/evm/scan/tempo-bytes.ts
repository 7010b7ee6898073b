import { concat, type Hex } from 'viem';
import type { TransactionReply } from './block-schemas';
import { accessListOf, data, hashed, type Item, paddedWord, quantity, rlp, typed } from './rlp-items';
import {
  KeyAuthorization,
  type PrimitiveSignature,
  TempoAuthorizations,
  type TempoSignature,
  TempoSignature as TempoSignatureReply,
} from './tempo-schemas';

/**
 * The bytes of Tempo's transactions, as the network's own node writes them (tempoxyz/tempo, `crates/primitives/src/transaction`:
 * `tempo_transaction.rs`, `tt_signed.rs`, `tt_signature.rs`, `tt_authorization.rs` and `key_authorization.rs`).
 */
export type TempoTransaction = {
  readonly tx: TransactionReply;
  readonly signature: TempoSignature;
  readonly authorizations: TempoAuthorizations;
  readonly keyAuthorization: KeyAuthorization | undefined;
};

export const TEMPO_TX_TYPE = '0x76';
const FEE_PAYER_TYPE = '0x78';
const PRIMITIVE_TYPES = { p256: '0x01', webAuthn: '0x02' } as const;
const KEYCHAIN_TYPES = { v1: '0x03', v2: '0x04' } as const;
const KEY_TYPES = { secp256k1: '0x', p256: '0x01', webAuthn: '0x02' } as const;
const EMPTY = '0x';
/** Stands for the signature of the fee payer in the bytes that the sender signs. */
const SPONSORED = '0x00';
const FIRST_V = 27n;

/** Undefined if a member has an unknown form. */
export function tempoTransactionIn(tx: TransactionReply): TempoTransaction | undefined {
  const signature = TempoSignatureReply.safeParse(tx.signature);
  const authorizations = TempoAuthorizations.safeParse(tx.aaAuthorizationList ?? []);
  const keyAuthorization = KeyAuthorization.nullish().safeParse(tx.keyAuthorization);
  if (tx.type !== TEMPO_TX_TYPE || !signature.success || !authorizations.success || !keyAuthorization.success) return undefined;
  return {
    tx,
    signature: signature.data,
    authorizations: authorizations.data,
    keyAuthorization: keyAuthorization.data ?? undefined,
  };
}

export function rawTempoOf(tx: TransactionReply): Hex | undefined {
  const read = tempoTransactionIn(tx);
  if (!read) return undefined;
  const { feePayerSignature: paid } = tx;
  const feePayer = paid ? [quantity(paid.yParity), quantity(paid.r), quantity(paid.s)] : EMPTY;
  return typed(TEMPO_TX_TYPE, rlp([...membersOf(read, data(tx.feeToken), feePayer), bytesOf(read.signature)]));
}

/** If another account pays the fee, that account chooses the token, so the bytes that the sender signs do not name the token. */
export function senderDigest(read: TempoTransaction): string {
  const { feePayerSignature, feeToken } = read.tx;
  const members = feePayerSignature ? membersOf(read, EMPTY, SPONSORED) : membersOf(read, data(feeToken), EMPTY);
  return hashed(typed(TEMPO_TX_TYPE, rlp(members)));
}

export const feePayerDigest = (read: TempoTransaction): string =>
  hashed(typed(FEE_PAYER_TYPE, rlp(membersOf(read, data(read.tx.feeToken), data(read.tx.from)))));

/** A key that signs for another account (`userAddress`) signs a different digest, unless the signature is of version 1. */
export function digestForKey(signature: TempoSignature, digestHex: string): string {
  if (!('userAddress' in signature) || signature.version === 'v1') return digestHex;
  return hashed(concat([KEYCHAIN_TYPES.v2, digestHex as Hex, data(signature.userAddress)]));
}

export const keyAuthorizationDigest = (authorization: KeyAuthorization): string => hashed(rlp(keyMembersOf(authorization)));

function membersOf({ tx, authorizations, keyAuthorization }: TempoTransaction, feeToken: Item, feePayer: Item): Item[] {
  return [
    ...[tx.chainId, tx.maxPriorityFeePerGas, tx.maxFeePerGas, tx.gas].map(quantity),
    (tx.calls ?? []).map(({ to, value, input }) => [data(to), quantity(value), data(input)]),
    accessListOf(tx),
    ...[tx.nonceKey, tx.nonce, tx.validBefore, tx.validAfter].map(quantity),
    ...[feeToken, feePayer],
    authorizations.map(({ chainId, address, nonce, signature }) => [
      ...[quantity(chainId), data(address), quantity(nonce), bytesOf(signature)],
    ]),
    ...(keyAuthorization ? [[keyMembersOf(keyAuthorization), bytesOf(keyAuthorization.signature)]] : []),
  ];
}

/** An absent member is encoded as empty bytes if another member follows. Otherwise the member is left out. */
function keyMembersOf({ chainId, keyType, keyId, expiry, limits, allowedCalls, witness, isAdmin, account }: KeyAuthorization) {
  const optional: (Item | undefined)[] = [
    isZero(expiry) ? undefined : quantity(expiry),
    limits?.map(({ token, limit, period }) => [data(token), quantity(limit), ...(isZero(period) ? [] : [quantity(period)])]),
    allowedCalls?.map(({ target, selectorRules }) => [
      data(target),
      selectorRules.map(({ selector, recipients }) => [data(selector), recipients.map(data)]),
    ]),
    witness ? data(witness) : undefined,
    isAdmin ? quantity('0x1') : undefined,
    account ? data(account) : undefined,
  ];
  const last = optional.findLastIndex((one) => one !== undefined);
  return [quantity(chainId), KEY_TYPES[keyType], data(keyId), ...optional.slice(0, last + 1).map((one) => one ?? EMPTY)];
}

const isZero = (text: string | null | undefined): boolean => quantity(text) === EMPTY;

function bytesOf(signature: TempoSignature): Hex {
  if (!('userAddress' in signature)) return primitiveBytesOf(signature);
  return concat([KEYCHAIN_TYPES[signature.version], data(signature.userAddress), primitiveBytesOf(signature.signature)]);
}

function primitiveBytesOf(signature: PrimitiveSignature): Hex {
  const words = [paddedWord(signature.r), paddedWord(signature.s)];
  if (signature.type === 'secp256k1') return concat([...words, `0x${(FIRST_V + BigInt(signature.yParity)).toString(16)}`]);
  const point = [data(signature.pubKeyX), data(signature.pubKeyY)];
  if (signature.type === 'p256') return concat([PRIMITIVE_TYPES.p256, ...words, ...point, signature.preHash ? '0x01' : '0x00']);
  return concat([PRIMITIVE_TYPES.webAuthn, data(signature.webauthnData), ...words, ...point]);
}
