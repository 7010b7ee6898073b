import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Transaction,
} from '@solana/kit';
import { bytesOf, hexOf } from './unsigned';

export type Compiled = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime;
/** A missing signature is null. */
type Signatures = Transaction['signatures'];
export type Wire = { readonly message: Compiled; readonly signatures: Signatures };

/** The placeholder for a blockhash that the sender leaves open: the base58 of 32 zero bytes. */
export const NO_BLOCKHASH = '11111111111111111111111111111111';
const HEX = /^(?:0x)?(?:[0-9a-f]{2})+$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const encodeMessage = (message: Compiled) =>
  hexOf(Uint8Array.from(getCompiledTransactionMessageEncoder().encode(message)));

/** Undefined unless the bytes are the canonical encoding, so that no other data can hide in the bytes. */
export function compiledOf(bytes: Uint8Array): Compiled | undefined {
  try {
    const message = getCompiledTransactionMessageDecoder().decode(bytes);
    return encodeMessage(message) === hexOf(bytes) ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Decodes a transaction or a bare message. Undefined for bytes that are not the canonical encoding. */
export function wireOf(bytes: Uint8Array): Wire | undefined {
  const alone = compiledOf(bytes);
  if (alone) {
    const signers = alone.staticAccounts.slice(0, alone.header.numSignerAccounts);
    return { message: alone, signatures: Object.fromEntries(signers.map((signer) => [signer, null])) };
  }
  try {
    const transaction = getTransactionDecoder().decode(bytes);
    const again = getTransactionEncoder().encode(transaction);
    const message =
      hexOf(Uint8Array.from(again)) === hexOf(bytes) ? compiledOf(Uint8Array.from(transaction.messageBytes)) : undefined;
    return message && { message, signatures: transaction.signatures };
  } catch {
    return undefined;
  }
}

/** The text is 0x-hex, hex or base64. Undefined for any other text. */
export function bytesIn(text: string): Uint8Array | undefined {
  if (HEX.test(text)) return Buffer.from(text.replace(/^0x/i, ''), 'hex');
  return BASE64.test(text) ? Buffer.from(text, 'base64') : undefined;
}

export const isSolanaTransaction = (bytesHex: string): boolean => wireOf(bytesOf(bytesHex)) !== undefined;
