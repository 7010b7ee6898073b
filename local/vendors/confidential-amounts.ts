import { randomBytes } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeAbiParameters, parseAbiParameters } from 'viem/utils';
import { z } from 'zod';
import { type VendorReply, vendorPart } from './part';

const Script = z.strictObject({
  /**
   * The last four answers are wrong ciphertexts: for a different chain, of a different type, with the proof for a different
   * handle, and for a different contract.
   */
  answer: z.enum(['Encrypted', 'Pending', 'Refused', 'Chain', 'Type', 'Proof', 'Contract']).default('Encrypted'),
  /** The vendor returns this body unchanged instead of a ciphertext. */
  body: z.unknown().optional(),
});
type Answer = z.output<typeof Script>['answer'];

const Body = z.strictObject({
  chainId: z.int().positive(),
  contract: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  sender: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  amount: z.string().regex(/^\d{1,20}$/),
});
type Body = z.output<typeof Body>;
type Encrypted = { readonly handle: string; readonly inputProof: string };

/** Anyone can compute this secret key, but only the token of the local chain trusts signatures of the key. */
const ATTESTER = keccak_256(new TextEncoder().encode('attester of the local trial'));
const ATTESTED = parseAbiParameters('bytes32 handle, bytes8 hidden, address sender, address contract, uint256 chainId');
const PATH = /^\/v1\/encrypted-amounts\/([\w-]+)$/;
const UINT32 = 4;
const UINT64 = 5;

type Hex = `0x${string}`;
const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;

/** A handle of the Zama protocol contains a hash, an index, the chain, the type and a version. */
function handleFor(chainId: number, type: number): Buffer {
  const handle = Buffer.concat([randomBytes(21), Buffer.alloc(11)]);
  handle.writeBigUInt64BE(BigInt(chainId), 22);
  handle[30] = type;
  return handle;
}

/**
 * The amount is only masked with a hash of the handle. The proof is the bytes 1 and 1, the handle, the signature, the recovery
 * byte and the masked amount.
 */
function encrypt({ chainId, contract, sender, amount }: Body, answer: Answer): Encrypted {
  const handle = handleFor(answer === 'Chain' ? chainId + 1 : chainId, answer === 'Type' ? UINT32 : UINT64);
  const mask = keccak_256(handle).subarray(0, 8);
  const units = Buffer.alloc(8);
  units.writeBigUInt64BE(BigInt(amount));
  const hidden = units.map((byte, index) => byte ^ (mask[index] ?? 0));
  const where = answer === 'Contract' ? sender : contract;
  const attested = encodeAbiParameters(ATTESTED, [hexOf(handle), hexOf(hidden), sender as Hex, where as Hex, BigInt(chainId)]);
  const digest = keccak_256(Buffer.from(attested.slice(2), 'hex'));
  const signature = secp256k1.sign(digest, ATTESTER, { prehash: false, format: 'recovered' });
  const [recovery = 0] = signature;
  const proved = answer === 'Proof' ? handleFor(chainId, UINT64) : handle;
  const proof = [Uint8Array.of(1, 1), proved, signature.subarray(1), Uint8Array.of(27 + recovery), hidden];
  return { handle: hexOf(handle), inputProof: hexOf(Buffer.concat(proof)) };
}

/** Simulates the service of docs/confidential-amounts.md. */
export function createConfidentialAmounts() {
  const encrypted = new Map<string, Encrypted>();
  return vendorPart({
    name: 'confidential-amounts',
    title: 'Confidential amounts: the ciphertexts of amounts',
    Script,
    answer: ({ method, path, body }, { answer, body: told }): VendorReply | undefined => {
      const [, id] = PATH.exec(path) ?? [];
      if (method !== 'PUT' || id === undefined) return undefined;
      const read = Body.safeParse(body);
      if (!read.success) return { status: 400, body: { error: 'BadRequest' } };
      if (told !== undefined) return { status: 200, body: told };
      if (answer === 'Pending') return { status: 202, body: { status: 'Pending' } };
      if (answer === 'Refused') return { status: 422, body: { error: 'Refused' } };
      const known = encrypted.get(id) ?? encrypt(read.data, answer);
      if (answer === 'Encrypted') encrypted.set(id, known);
      return { status: 200, body: known };
    },
    reset: () => encrypted.clear(),
  });
}
