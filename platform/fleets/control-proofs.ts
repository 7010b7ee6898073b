import type { FleetInput, ProofRequest } from './inputs';

/**
 * The prefix of the bytes of a proof of control. No network has transactions that begin with these bytes: RLP and EIP-2718 begin
 * with other bytes, a Solana message with 115 signers exceeds every packet, and the hash of a transaction is shorter.
 */
export const CONTROL_PROOF_PREFIX = 'strongroom proof of control, not a transaction: ';

/** The bytes that Ed25519 signs. On secp256k1 the SHA-256 of the bytes is signed. */
export const controlProofBytes = (message: string): Buffer => Buffer.from(`${CONTROL_PROOF_PREFIX}${message}`, 'utf8');

type Place = Pick<FleetInput, 'orgId' | 'storeId' | 'groupId' | 'dateIssued'>;
type Proven = Pick<ProofRequest, 'walletId' | 'network' | 'address'>;

/**
 * The only message that a group proves for a wallet. It names the wallet, the organisation, the group and the date, so
 * the proof counts for no other, and no caller can have a device sign words of the caller's choice.
 */
export const controlProofMessage = (
  { orgId, storeId, groupId, dateIssued }: Place,
  { walletId, network, address }: Proven,
): string =>
  `The organisation ${orgId} controls the address ${address} on ${network}. ` +
  `Wallet ${walletId}, key store ${storeId}, group ${groupId}, ${dateIssued}`;
