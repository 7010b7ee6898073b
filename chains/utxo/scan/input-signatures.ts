import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ByteReader, Unreadable } from '../decoder-bytes';
import type { RawTransaction } from './raw-transaction';

export type SignatureWords = { readonly r: string; readonly s: string };

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const SCHNORR_BYTES = 64;
const WORD_BYTES = 32;
const PUSH_MAX = 75;
const PUSH_WITH_LENGTH = 0x4c;
const N = secp256k1.Point.Fn.ORDER;

/**
 * The signature that unlocks an input of one key, in the script or the witness: ECDSA in DER (BIP66), or Schnorr with or without
 * a hash type (BIP341; on Bitcoin Cash also in the script). Undefined for an input with a different form.
 */
export function signatureOfInput(tx: RawTransaction, index: number): SignatureWords | undefined {
  try {
    const items = [...pushesIn(tx.inputs[index]?.script ?? Buffer.alloc(0)), ...inputWitnessOf(tx, index)];
    for (const item of items) {
      const words = derWords(item) ?? schnorrWords(item);
      if (words) return words;
    }
    return undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** The items of a script that only pushes bytes, up to the first other instruction. */
function pushesIn(script: Buffer): Buffer[] {
  const reader = new ByteReader(script);
  const items: Buffer[] = [];
  while (!reader.isAtEnd) {
    const instruction = reader.take(1).readUInt8();
    if (instruction > PUSH_WITH_LENGTH) break;
    items.push(reader.take(instruction <= PUSH_MAX ? instruction : reader.take(1).readUInt8()));
  }
  return items;
}

export function inputWitnessOf({ witnesses, inputs }: RawTransaction, index: number): readonly Buffer[] {
  if (witnesses.length === 0) return [];
  const reader = new ByteReader(witnesses);
  for (let at = 0; at < inputs.length; at += 1) {
    const items: Buffer[] = [];
    for (let left = reader.count(); left > 0; left -= 1) items.push(reader.chunk());
    if (at === index) return items;
  }
  return [];
}

const hexWord = (value: bigint) => `0x${value.toString(16).padStart(2 * WORD_BYTES, '0')}`;
const numberOf = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex')}`);

function derWords(item: Buffer): SignatureWords | undefined {
  if (item.length < 9 || item[0] !== SEQUENCE || item[1] !== item.length - 3) return undefined;
  const rLength = item[3] ?? 0;
  const sLength = item[5 + rLength] ?? 0;
  if (item[2] !== INTEGER || item[4 + rLength] !== INTEGER || rLength + sLength !== item.length - 7) return undefined;
  const [r, s] = [numberOf(item.subarray(4, 4 + rLength)), numberOf(item.subarray(6 + rLength, -1))];
  // The signer makes the lower s. Anyone can replace the lower s by the higher s, which is valid as well.
  return { r: hexWord(r), s: hexWord(s > N / 2n ? N - s : s) };
}

function schnorrWords(item: Buffer): SignatureWords | undefined {
  if (item.length !== SCHNORR_BYTES && item.length !== SCHNORR_BYTES + 1) return undefined;
  const [r, s] = [item.subarray(0, WORD_BYTES), item.subarray(WORD_BYTES, SCHNORR_BYTES)];
  return { r: hexWord(numberOf(r)), s: hexWord(numberOf(s)) };
}
