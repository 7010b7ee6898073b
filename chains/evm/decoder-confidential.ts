import { addr } from 'micro-eth-signer';
import type { EncryptedAmount } from '../../domain/transfers';

/**
 * Call data of `confidentialTransfer(address,bytes32,bytes)` (ERC-7984), in this order: recipient, handle, offset of the proof,
 * length of the proof, proof.
 */
const CONFIDENTIAL_TRANSFER = /^0x2fb74e620{24}([0-9a-f]{40})([0-9a-f]{64})0{62}60([0-9a-f]{64})([0-9a-f]+)$/;
const WORD_BYTES = 32;
const WORD_DIGITS = 64;
/**
 * The digits of the chain id in a handle of the Zama protocol (bytes 22 to 29). The type of the value (5 for 64 bits) and the
 * version (0) follow.
 */
const CHAIN_ID = [44, 60] as const;
const UINT64_V0 = '0500';

type Hidden = { readonly recipient: string; readonly encrypted: EncryptedAmount };

/**
 * Undefined unless the data is the canonical encoding of a transfer with a proof that is not empty. In this encoding no bytes lie
 * between the members, zeros fill the last word of the proof, and no bytes follow the proof.
 */
export function confidentialTransferIn(data: string): Hidden | undefined {
  const [, recipient, handle, length, tail] = CONFIDENTIAL_TRANSFER.exec(data) ?? [];
  if (recipient === undefined || handle === undefined || length === undefined || tail === undefined) return undefined;
  const bytes = Number(BigInt(`0x${length}`));
  if (bytes === 0 || tail.length !== Math.ceil(bytes / WORD_BYTES) * WORD_DIGITS) return undefined;
  const inputProof = tail.slice(0, bytes * 2);
  if (/[^0]/.test(tail.slice(bytes * 2))) return undefined;
  return {
    recipient: addr.addChecksum(`0x${recipient}`),
    encrypted: { handle: `0x${handle}`, inputProof: `0x${inputProof}` },
  };
}

export function isUint64On(chainId: bigint, handle: string): boolean {
  const digits = handle.slice(2);
  return BigInt(`0x${digits.slice(...CHAIN_ID)}`) === chainId && digits.endsWith(UINT64_V0);
}
