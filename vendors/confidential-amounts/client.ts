import { z } from 'zod';
import { type EncryptedAmount, INPUT_PROOF_BYTES_MAX } from '../../domain/transfers';
import { callVendor, type VendorAccess } from '../call';
import { VendorError } from '../failure';
import type { EncryptAmount } from './port';

/** The two HTTP statuses other than 200 that the protocol defines (docs/confidential-amounts.md). */
const PENDING = 202;
const REFUSED = 422;

const HANDLE_BYTES = 32;
const SIGNATURE_BYTES = 65;
/** The size of `numHandles` and `numSigners`, one byte each. */
const COUNTS_BYTES = 2;
/** The index of our value among the values that are encrypted together. */
const FIRST = 0;
/** The type of a 64-bit number in the Zama protocol. */
const UINT64 = 5;
const HANDLE_VERSION = 0;

const Encrypted = z.object({
  handle: z.string().regex(/^0x[0-9a-fA-F]{64}$/),
  inputProof: z.string().regex(/^0x(?:[0-9a-fA-F]{2})+$/),
});
const Answer = z.union([Encrypted, z.object({ status: z.literal('Pending') }), z.object({ error: z.literal('Refused') })]);

/** docs/confidential-amounts.md defines the wire format. */
export const createEncryptAmount =
  (access: VendorAccess): EncryptAmount =>
  async ({ id, chainId, contract, sender, amountUnits }) => {
    const path = `/v1/encrypted-amounts/${encodeURIComponent(id)}`;
    const body = { chainId, contract, sender, amount: amountUnits.toString() };
    const { status, value } = await callVendor(access, { method: 'PUT', path, body, reply: Answer }, [REFUSED]);
    if (status === REFUSED && 'error' in value) return 'Refused';
    if (status === PENDING && 'status' in value) return 'Pending';
    if (status === REFUSED || status === PENDING || !('handle' in value)) throw unfit();
    const encrypted = { handle: value.handle.toLowerCase(), inputProof: value.inputProof.toLowerCase() };
    assertFit(encrypted, chainId);
    return encrypted;
  };

const unfit = () => new VendorError('Unreadable', 'the vendor sent a reply that is not an encrypted amount for this chain');

/**
 * Throws unless the ciphertext is a single 64-bit number on this chain and the proof is for exactly this ciphertext. The amount
 * itself is encrypted and stays unchecked. A handle consists of 21 bytes of a hash, the index, 8 bytes of the chain id, the
 * type and the version. A proof consists of two counts, the handles, the signatures and any further bytes
 * (https://docs.zama.org/protocol, smart contract `InputVerifier`).
 */
function assertFit({ handle, inputProof }: EncryptedAmount, chainId: number): void {
  const named = Buffer.from(handle.slice(2), 'hex');
  const proof = Buffer.from(inputProof.slice(2), 'hex');
  const signers = proof[1] ?? 0;
  const signed = COUNTS_BYTES + HANDLE_BYTES + signers * SIGNATURE_BYTES;
  const fits =
    named[21] === FIRST &&
    named.readBigUInt64BE(22) === BigInt(chainId) &&
    named[30] === UINT64 &&
    named[31] === HANDLE_VERSION &&
    proof.byteLength <= INPUT_PROOF_BYTES_MAX &&
    proof[0] === 1 &&
    signers > 0 &&
    proof.byteLength >= signed &&
    proof.subarray(COUNTS_BYTES, COUNTS_BYTES + HANDLE_BYTES).equals(named);
  if (!fits) throw unfit();
}
