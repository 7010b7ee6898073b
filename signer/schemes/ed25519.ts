import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import { assertNoTweak, type SchemeCode, SECRET_BYTES, toSignature } from './key-signature';

/** The bytes before the 32-byte key in PKCS 8 and SubjectPublicKeyInfo (RFC 8410, sections 7 and 4). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

function privateKeyOf(secret: Buffer) {
  if (secret.length !== SECRET_BYTES) throw new Error('an Ed25519 secret has 32 bytes');
  const der = Buffer.concat([PRIVATE_PREFIX, secret]);
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  } finally {
    der.fill(0);
  }
}

const publicKeyOf = (publicKeyHex: string) =>
  createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, Buffer.from(publicKeyHex, 'hex')]), format: 'der', type: 'spki' });

/** Ed25519 of RFC 8032 (section 5.1, without a context): the secret is the seed, and the message is signed whole. */
export const ed25519: SchemeCode = {
  createSecret: () => randomBytes(SECRET_BYTES),
  isSecret: (secret) => secret.length === SECRET_BYTES,
  publicKeyHexOf: (secret) =>
    createPublicKey(privateKeyOf(secret)).export({ format: 'der', type: 'spki' }).subarray(PUBLIC_PREFIX.length).toString('hex'),
  sign(message, secret, publicKeyHex, options) {
    assertNoTweak(options);
    const signature = sign(null, message, privateKeyOf(secret));
    if (!verify(null, message, publicKeyOf(publicKeyHex), signature)) throw new Error('the signature does not verify');
    return toSignature(signature);
  },
};
