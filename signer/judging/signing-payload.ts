import { z } from 'zod';
import { USER_OPERATIONS_MAX } from '../../domain/transactions';
import { PSBT_BYTES_MAX } from '../../domain/transfers';
import { inBytes, ManyBytes, Units, word } from '../wire/schemas';

/** The limit for a message or a transaction. */
const PAYLOAD_BYTES_MAX = 32 * 1024;
const TYPED_DATA_BYTES_MAX = 64 * 1024;
const Payload = z
  .string()
  .regex(/^0x(?:[0-9a-f]{2})*$/)
  .max(2 + 2 * PAYLOAD_BYTES_MAX);

const EvmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/);
/**
 * Calls of the key's own account, with the typed data that commits to these calls. The key also signs the authorization, if
 * there is one.
 */
const SmartAccountPayload = z.strictObject({
  kind: z.literal('SvcSmartAccountTransaction'),
  network: z.string().min(1).max(64),
  address: EvmAddress,
  calls: z
    .array(z.strictObject({ to: EvmAddress, valueUnits: Units, dataHex: Payload }))
    .min(1)
    .max(USER_OPERATIONS_MAX)
    .readonly(),
  typedData: z.string().refine(inBytes(TYPED_DATA_BYTES_MAX)),
  authorization: z.strictObject({ chainId: z.int().positive(), address: EvmAddress, nonce: z.int().nonnegative() }).nullable(),
});

/**
 * The signer computes the digest itself, except for `Hash`. These keys sign each kind:
 * - `Hash`: signed as it is, by every key that can sign. `taprootMerkleRootHex` is for Schnorr only and tweaks the key (BIP341).
 *   The value `0x` means that there is no script tree.
 * - `Message`: EdDSA signs the message as it is. ECDSA on secp256k1 signs the message as EIP-191.
 * - `Eip191`, a personal message: only ECDSA on secp256k1 signs this kind and the next three kinds.
 * - `Eip712`, typed data: JSON text with `types`, `domain`, `message` and optionally `primaryType`.
 * - `Eip7702`: an authorization.
 * - `EvmTransaction`: an unsigned, serialised transaction of type 0 (with EIP-155), 1, 2 or 4, or of a network's own type.
 * - `SvcSmartAccountTransaction`: ECDSA on secp256k1 signs the typed data and the authorization of the key's own account.
 * - `SolanaTransaction`, the message of a transaction: EdDSA on ed25519 signs a message that names the key as a signer.
 * - `Psbt`: ECDSA and Schnorr on secp256k1 make one signature for each input that is locked to this key only.
 * - `Bip322`: ECDSA and Schnorr on secp256k1 sign this message to prove that the key controls an address.
 */
export const SigningPayload = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('Hash'), digestHex: word, taprootMerkleRootHex: z.union([z.literal('0x'), word]).optional() }),
  z.strictObject({ kind: z.literal('Message'), messageHex: Payload }),
  z.strictObject({ kind: z.literal('Eip191'), messageHex: Payload }),
  z.strictObject({ kind: z.literal('Eip712'), typedData: z.string().refine(inBytes(TYPED_DATA_BYTES_MAX)) }),
  z.strictObject({
    kind: z.literal('Eip7702'),
    chainId: z.int().nonnegative(),
    address: z.string().regex(/^0x[0-9a-fA-F]{40}$/),
    nonce: z.int().nonnegative(),
  }),
  z.strictObject({ kind: z.literal('EvmTransaction'), bytesHex: Payload }),
  z.strictObject({ kind: z.literal('SolanaTransaction'), network: z.string().min(1).max(64), bytesHex: Payload }),
  z.strictObject({ kind: z.literal('Psbt'), network: z.string().min(1).max(64), bytesHex: ManyBytes(PSBT_BYTES_MAX) }),
  z.strictObject({
    kind: z.literal('Bip322'),
    network: z.string().min(1).max(64),
    messageHex: Payload,
    format: z.enum(['Simple', 'Full']),
  }),
  SmartAccountPayload,
]);
export type SigningPayload = z.infer<typeof SigningPayload>;
