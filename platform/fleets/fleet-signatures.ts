import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { FleetCurve } from '../../domain/fleets';
import { isEd25519Signed } from '../ed25519-verification';

/** Two words of 32 bytes; `recoveryId` only on secp256k1. The same form as the signatures of the signer. */
export type FleetSignature = {
  readonly r: `0x${string}`;
  readonly s: `0x${string}`;
  readonly recoveryId?: 0 | 1;
};

const WORD_DIGITS = 64;
const DIGEST_BYTES = 32;
const RECOVERY_IDS = [0, 1] as const;

/** `message` is a digest of 32 bytes on secp256k1, and the whole message on Ed25519. */
type Verified = (
  message: Uint8Array,
  signatureHex: string,
  publicKeyHex: string,
) => Pick<FleetSignature, 'recoveryId'> | undefined;

const VERIFY = {
  secp256k1(message, signatureHex, publicKeyHex) {
    const [signature, publicKey] = [Buffer.from(signatureHex, 'hex'), Buffer.from(publicKeyHex, 'hex')];
    if (message.length !== DIGEST_BYTES) return undefined;
    if (!secp256k1.verify(signature, message, publicKey, { prehash: false, lowS: true })) return undefined;
    const isOwn = (id: number) =>
      publicKey.equals(secp256k1.recoverPublicKey(Buffer.concat([Buffer.of(id), signature]), message, { prehash: false }));
    const recoveryId = RECOVERY_IDS.find(isOwn);
    return recoveryId === undefined ? undefined : { recoveryId };
  },
  ed25519: (message, signatureHex, publicKeyHex) =>
    isEd25519Signed(publicKeyHex, Buffer.from(message), Buffer.from(signatureHex, 'hex').toString('base64')) ? {} : undefined,
} as const satisfies Readonly<Record<FleetCurve, Verified>>;

/** Returns undefined unless the signature is 64 bytes and valid. The recovery id is computed, because no device is trusted. */
export function verifiedSignature(
  key: { readonly curve: FleetCurve; readonly publicKey: string },
  message: Uint8Array,
  signatureHex: string,
): FleetSignature | undefined {
  if (signatureHex.length !== 2 * WORD_DIGITS) return undefined;
  try {
    const found = VERIFY[key.curve](message, signatureHex, key.publicKey);
    if (found === undefined) return undefined;
    return { r: `0x${signatureHex.slice(0, WORD_DIGITS)}`, s: `0x${signatureHex.slice(WORD_DIGITS)}`, ...found };
  } catch {
    return undefined;
  }
}
