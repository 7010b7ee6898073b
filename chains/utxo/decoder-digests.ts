import { sha256 } from '@noble/hashes/sha2.js';
import { chunkBytes, u32Bytes, u64Bytes } from './decoder-bytes';
import type { Psbt, Spent } from './decoder-psbt';
import { isTaprootScript, keyHashScript, scriptOfKey, taggedHash } from './decoder-scripts';
import { type DecodedTransaction, outpointBytes, outputBytes, sha256Twice, writeTransaction } from './decoder-transaction';
import type { InputDigest, OutputForm, UtxoNetwork } from './types';

const ALL = 1;
/** The hash type for Taproot. `DEFAULT` covers the same parts as `ALL`, and the signature is a byte shorter. */
const DEFAULT = 0;
/** `ALL` with the flag of Bitcoin Cash, which makes a signature invalid on Bitcoin. */
const ALL_OF_FORK = 0x41;

const once = (...parts: readonly Uint8Array[]): Buffer => Buffer.from(sha256(Buffer.concat(parts)));

/**
 * Bitcoin's original digest covers the hash type and the transaction, with `script` at this input and empty scripts at all
 * others.
 */
function oldDigest(tx: DecodedTransaction, index: number, script: Buffer): Buffer {
  const scripts = tx.inputs.map((_, at) => (at === index ? script : Buffer.alloc(0)));
  return sha256Twice(writeTransaction(tx, scripts), u32Bytes(ALL));
}

/** The digest of BIP143. The digest of Bitcoin Cash (replay-protected-sighash.md) differs only in the hash type. */
function witnessDigest(tx: DecodedTransaction, index: number, script: Buffer, amountUnits: bigint, hashType: number): Buffer {
  const input = tx.inputs[index];
  if (!input) throw new RangeError('there is no such input');
  return sha256Twice(
    u32Bytes(tx.version),
    sha256Twice(...tx.inputs.map(outpointBytes)),
    sha256Twice(...tx.inputs.map(({ sequence }) => u32Bytes(sequence))),
    outpointBytes(input),
    chunkBytes(script),
    u64Bytes(amountUnits),
    u32Bytes(input.sequence),
    sha256Twice(...tx.outputs.map(outputBytes)),
    u32Bytes(tx.lockTime),
    u32Bytes(hashType),
  );
}

/**
 * The digest of BIP341 for a key path without annex. `hashType` must be `ALL` or `DEFAULT`, the two types that
 * cover everything.
 */
export function taprootDigest(tx: DecodedTransaction, index: number, spent: readonly Spent[], hashType: number): Buffer {
  return taggedHash(
    'TapSighash',
    Buffer.from([0, hashType]),
    u32Bytes(tx.version),
    u32Bytes(tx.lockTime),
    once(...tx.inputs.map(outpointBytes)),
    once(...spent.map(({ amountUnits }) => u64Bytes(amountUnits))),
    once(...spent.map(({ script }) => chunkBytes(script))),
    once(...tx.inputs.map(({ sequence }) => u32Bytes(sequence))),
    once(...tx.outputs.map(outputBytes)),
    Buffer.from([0]),
    u32Bytes(index),
  );
}

type Signing = Pick<Psbt, 'tx' | 'spent' | 'hashTypes'>;

function digestOf({ digest }: UtxoNetwork, psbt: Signing, index: number, form: OutputForm, publicKey: Buffer): Buffer {
  const { tx, spent, hashTypes } = psbt;
  if (form === 'P2TR') return taprootDigest(tx, index, spent, hashTypes[index] ?? DEFAULT);
  const script = keyHashScript(publicKey);
  const amountUnits = spent[index]?.amountUnits ?? 0n;
  if (digest === 'ForkId') return witnessDigest(tx, index, script, amountUnits, ALL_OF_FORK);
  return form === 'P2PKH' ? oldDigest(tx, index, script) : witnessDigest(tx, index, script, amountUnits, ALL);
}

/** Returns a digest only for the inputs that are locked to this key in one of the network's address forms. */
export function digestsIn(network: UtxoNetwork, psbt: Signing, publicKeyHex: string): InputDigest[] {
  const publicKey = Buffer.from(publicKeyHex, 'hex');
  const own = network.forms.map((form) => ({ form, script: scriptOfKey(form, publicKey) }));
  return psbt.spent.flatMap(({ script }, index) => {
    const form = own.find((candidate) => candidate.script?.equals(script))?.form;
    if (form === undefined) return [];
    return [{ index, digest: digestOf(network, psbt, index, form, publicKey), isTaproot: form === 'P2TR' }];
  });
}

/**
 * True if the signature covers all inputs and outputs. Without a hash type in the PSBT, the service signs with a hash type that
 * covers everything.
 */
export const isWholeHashType = ({ digest }: UtxoNetwork, script: Buffer, hashType: number | undefined): boolean =>
  hashType === undefined ||
  hashType === (digest === 'ForkId' ? ALL_OF_FORK : ALL) ||
  (hashType === DEFAULT && digest === 'Segwit' && isTaprootScript(script));
