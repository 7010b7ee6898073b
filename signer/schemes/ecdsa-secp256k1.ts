import { secp256k1 } from '@noble/curves/secp256k1.js';
import { assertDigest, assertNoTweak, bufferOver, type SchemeCode, toSignature } from './key-signature';

/**
 * ECDSA over secp256k1 (SEC 1), deterministic (RFC 6979) and with the lower s (BIP 62). The public key is the compressed point.
 */
export const ecdsaSecp256k1: SchemeCode = {
  createSecret: () => bufferOver(secp256k1.utils.randomSecretKey()),
  isSecret: (secret) => secp256k1.utils.isValidSecretKey(secret),
  publicKeyHexOf: (secret) => bufferOver(secp256k1.getPublicKey(secret, true)).toString('hex'),
  sign(message, secret, publicKeyHex, options) {
    assertDigest(message);
    assertNoTweak(options);
    const how = { prehash: false, lowS: true, extraEntropy: false, format: 'recovered' } as const;
    const recovered = secp256k1.sign(message, secret, how);
    const publicKey = Buffer.from(publicKeyHex, 'hex');
    const compact = recovered.subarray(1);
    const verified = secp256k1.verify(compact, message, publicKey, { prehash: false, lowS: true });
    const signer = secp256k1.recoverPublicKey(recovered, message, { prehash: false });
    if (!verified || !publicKey.equals(signer)) throw new Error('the signature does not verify');
    return toSignature(compact, recovered[0]);
  },
};

/** Diffie-Hellman keys derive secrets from points and never sign. */
export const dhSecp256k1: SchemeCode = {
  ...ecdsaSecp256k1,
  sign() {
    throw new Error('a Diffie-Hellman key signs nothing');
  },
};
