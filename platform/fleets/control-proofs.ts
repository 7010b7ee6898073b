/**
 * The prefix of the bytes of a proof of control. No network has transactions that begin with these bytes: RLP and EIP-2718 begin
 * with other bytes, a Solana message with 115 signers exceeds every packet, and the hash of a transaction is shorter.
 */
export const CONTROL_PROOF_PREFIX = 'strongroom proof of control, not a transaction: ';

/** The bytes that Ed25519 signs. On secp256k1 the SHA-256 of the bytes is signed. */
export const controlProofBytes = (message: string): Buffer => Buffer.from(`${CONTROL_PROOF_PREFIX}${message}`, 'utf8');
