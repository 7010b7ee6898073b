import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Entry, PretenceDecoder, PretenceNetwork } from './types';

const UNITS = '(0|[1-9][0-9]{0,30})';
const ADDRESS = '([0-9a-f]{64})';
const ENTRY = new RegExp(
  `^\\{"amount":"${UNITS}","chain":"([\\w-]{1,64})","fee":"${UNITS}","from":"${ADDRESS}","sequence":(0|[1-9][0-9]{0,14}),"to":"${ADDRESS}"\\}`,
);
const SIGNATURE_BYTES = 64;

type Read = Entry & { readonly chain: string; readonly rest: number };

/** Reads each byte as one character, so that different byte strings never become the same text. */
function read(bytesHex: string): Read | undefined {
  const text = String.fromCharCode(...hexToBytes(bytesHex.slice(2)));
  const [whole, amount, chain, fee, from, sequence, to] = ENTRY.exec(text) ?? [];
  if (whole === undefined || amount === undefined || fee === undefined) return undefined;
  if (chain === undefined || from === undefined || to === undefined) return undefined;
  const moved = { from, to, amountUnits: BigInt(amount), feeUnits: BigInt(fee), sequence: Number(sequence) };
  return { ...moved, chain, rest: text.length - whole.length };
}

export const createPretenceDecoder = ({ chainId }: PretenceNetwork): PretenceDecoder => ({
  family: 'pretence',
  addressOf: (publicKeyHex) => bytesToHex(sha256(hexToBytes(publicKeyHex))),
  entryIn(bytesHex) {
    const { chain, rest, ...entry } = read(bytesHex) ?? {};
    return chain === chainId && rest === 0 && 'from' in entry ? entry : undefined;
  },
  isTransaction: (bytesHex) => [0, SIGNATURE_BYTES].includes(read(bytesHex)?.rest ?? -1),
});
