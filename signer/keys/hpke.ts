import { Aes256Gcm, CipherSuite, HkdfSha256 } from '@hpke/core';
import { DhkemX25519HkdfSha256 } from '@hpke/dhkem-x25519';

/** The suite that `KEY_SHARE_SUITE` and docs/key-shares.md name. */
export const shareSuite = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });
export const ENC_BYTES = 32;

/**
 * The library needs an `ArrayBuffer`. A small Buffer has no memory of its own, because Node takes small Buffers from a shared
 * pool.
 */
const alone = (bytes: Uint8Array): ArrayBuffer => {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
};

/** X25519, 32 bytes each; the caller wipes the secret. */
export async function createSharePair(): Promise<{ secret: Buffer; publicKey: Buffer }> {
  const pair = await shareSuite.kem.generateKeyPair();
  const [secret, publicKey] = await Promise.all([
    shareSuite.kem.serializePrivateKey(pair.privateKey),
    shareSuite.kem.serializePublicKey(pair.publicKey),
  ]);
  return { secret: Buffer.from(secret), publicKey: Buffer.from(publicKey) };
}

/**
 * Returns `enc` and the ciphertext. Uses base mode without associated data, because `info` binds the ciphertext to its context.
 * Throws for a public key of small order.
 */
export async function sealShare(recipientKey: Uint8Array, info: string, share: Uint8Array): Promise<Buffer> {
  const sender = await shareSuite.createSenderContext({
    recipientPublicKey: await shareSuite.kem.deserializePublicKey(alone(recipientKey)),
    info: alone(Buffer.from(info)),
  });
  const plain = alone(share);
  try {
    return Buffer.concat([Buffer.from(sender.enc), Buffer.from(await sender.seal(plain))]);
  } finally {
    new Uint8Array(plain).fill(0);
  }
}

/** The caller wipes the result. Throws unless the share was sealed to this key under this `info`. */
export async function openShare(secret: Uint8Array, info: string, sealed: Uint8Array): Promise<Buffer> {
  const raw = alone(secret);
  try {
    const recipient = await shareSuite.createRecipientContext({
      recipientKey: await shareSuite.kem.deserializePrivateKey(raw),
      enc: alone(sealed.subarray(0, ENC_BYTES)),
      info: alone(Buffer.from(info)),
    });
    return Buffer.from(await recipient.open(alone(sealed.subarray(ENC_BYTES))));
  } finally {
    new Uint8Array(raw).fill(0);
  }
}
