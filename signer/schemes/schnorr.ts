import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js';
import { assertDigest, bufferOver, type SchemeCode, SECRET_BYTES, toSignature } from './key-signature';

const { Point } = secp256k1;
const NO_AUXILIARY_BYTES = new Uint8Array(32);

/** The tweak `t` of BIP341, as a number below the group order. `internalKey` is the x coordinate of the internal key. */
function tweakOf(internalKey: Uint8Array, merkleRoot: Uint8Array): bigint {
  if (merkleRoot.length !== 0 && merkleRoot.length !== 32) throw new Error('a script tree has a root of 32 bytes, or none');
  return Point.Fn.fromBytes(schnorr.utils.taggedHash('TapTweak', internalKey, merkleRoot));
}

/** BIP341, taproot_tweak_seckey. The caller wipes this secret. */
function tweakedSecret(secret: Buffer, internalKey: Uint8Array, merkleRoot: Uint8Array): Buffer {
  const scalar = Point.Fn.fromBytes(secret);
  const isEven = Point.BASE.multiply(scalar).toAffine().y % 2n === 0n;
  return bufferOver(Point.Fn.toBytes(Point.Fn.add(isEven ? scalar : Point.Fn.neg(scalar), tweakOf(internalKey, merkleRoot))));
}

/**
 * The BIP341 output key, in the form that a Taproot address contains. Both keys are x coordinates. Throws for an x that is not on
 * the curve.
 */
export function taprootOutputKey(internalKey: Uint8Array, merkleRoot: Uint8Array): Uint8Array {
  const even = schnorr.utils.lift_x(BigInt(`0x${Buffer.from(internalKey).toString('hex')}`));
  return schnorr.utils.pointToBytes(even.add(Point.BASE.multiply(tweakOf(internalKey, merkleRoot))));
}

/** BIP340 with auxiliary bytes of zero, the x coordinate as public key, and the tweak of BIP341. */
export const schnorrSecp256k1: SchemeCode = {
  createSecret: () => bufferOver(schnorr.utils.randomSecretKey()),
  isSecret: (secret) => secret.length === SECRET_BYTES && secp256k1.utils.isValidSecretKey(secret),
  publicKeyHexOf: (secret) => bufferOver(schnorr.getPublicKey(secret)).toString('hex'),
  sign(message, secret, publicKeyHex, options) {
    assertDigest(message);
    const root = options?.taprootMerkleRoot;
    const registered = Buffer.from(publicKeyHex, 'hex');
    const signingSecret = root ? tweakedSecret(secret, registered, root) : secret;
    try {
      const signature = schnorr.sign(message, signingSecret, NO_AUXILIARY_BYTES);
      const publicKey = root ? taprootOutputKey(registered, root) : registered;
      if (!schnorr.verify(signature, message, publicKey)) throw new Error('the signature does not verify');
      return toSignature(signature);
    } finally {
      if (signingSecret !== secret) signingSecret.fill(0);
    }
  },
};
