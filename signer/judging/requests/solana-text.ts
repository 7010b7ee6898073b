import type { SolanaDecoder } from '../../../chains/solana/types';
import { assertAsked } from './signed-body';

const HEX = /^(?:0x)?(?:[0-9a-f]{2})+$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const SIGNATURE_CHARS = 128;
/** The number of signatures is one byte, and no packet has room for more than nineteen signatures. */
const SIGNATURES = /^0x([01][0-9a-f])/;

/** A text that is hex as well as base64 is read as hex. */
export function bytesOfText(text: string): string {
  if (HEX.test(text)) return `0x${text.replace(/^0x/i, '').toLowerCase()}`;
  assertAsked(BASE64.test(text));
  return `0x${Buffer.from(text, 'base64').toString('hex')}`;
}

export const isMessageOf = (decoder: SolanaDecoder, bytesHex: string): boolean => !decoder.refused(bytesHex).includes('bytes');

/**
 * The message that follows the signatures of a transaction. `Unsigned` allows only one signature, whose bytes must all be zero.
 */
export function bareMessageOf(bytesHex: string, expected: 'Unsigned' | 'AnySigned'): string {
  const [head = '', digits = ''] = SIGNATURES.exec(bytesHex) ?? [];
  const count = Number.parseInt(digits, 16);
  const signatures = bytesHex.slice(head.length, head.length + count * SIGNATURE_CHARS);
  assertAsked(signatures.length > 0 && signatures.length === count * SIGNATURE_CHARS);
  assertAsked(expected === 'AnySigned' || (count === 1 && /^0+$/.test(signatures)));
  return `0x${bytesHex.slice(head.length + signatures.length)}`;
}
