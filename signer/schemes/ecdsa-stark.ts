import { getPublicKey, MAX_VALUE, sign, utils, verify } from '@scure/starknet';
import { assertDigest, assertNoTweak, bufferOver, type SchemeCode, SECRET_BYTES, toSignature } from './key-signature';

/** The compressed form of SEC 1: sign and x coordinate. */
const compressed = (secret: Buffer) => bufferOver(getPublicKey(secret, true));

/**
 * ECDSA over the STARK curve. The digest is an element below 2^251 in 32 bytes, and the public key is the x coordinate (the
 * Stark key). Chains accept both s and its negative, so s is not normalised.
 */
export const ecdsaStark: SchemeCode = {
  createSecret: () => bufferOver(utils.randomPrivateKey()),
  isSecret: (secret) => secret.length === SECRET_BYTES && utils.isValidPrivateKey(secret),
  publicKeyHexOf: (secret) => compressed(secret).subarray(1).toString('hex'),
  sign(message, secret, publicKeyHex, options) {
    assertDigest(message);
    assertNoTweak(options);
    if (BigInt(`0x${Buffer.from(message).toString('hex')}`) >= MAX_VALUE) throw new Error('a STARK digest is below 2^251');
    const publicKey = compressed(secret);
    // The registered key is only an x coordinate, which two points share. So the coordinate is compared, and the signature is
    // verified under the point of the secret.
    if (publicKey.toString('hex', 1) !== publicKeyHex) throw new Error('the signature does not verify');
    const signature = sign(message, secret, { format: 'recovered' });
    if (!verify(signature, message, publicKey)) throw new Error('the signature does not verify');
    return toSignature(signature.toBytes('compact'), signature.recovery);
  },
};
