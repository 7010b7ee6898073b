import { Aes256Gcm, CipherSuite, HkdfSha256 } from '@hpke/core';
import { DhkemX25519HkdfSha256 } from '@hpke/dhkem-x25519';
import { z } from 'zod';
import { IdentityKey, OneBase64 } from '../../platform/fleets/statement';
import { Refused } from '../refused';

/** RFC 9180, base mode. Who made a box follows from signatures and from the commitment to the master secret. */
const suite = new CipherSuite({ kem: new DhkemX25519HkdfSha256(), kdf: new HkdfSha256(), aead: new Aes256Gcm() });

/** A box of one purpose cannot be opened as a box of another. */
export type BoxPurpose = 'share' | 'clone' | 'recovery';
export const Box = z.strictObject({ enc: IdentityKey, sealed: OneBase64.max(256) });
export type Box = z.infer<typeof Box>;

/** The library needs an `ArrayBuffer`, and a small Buffer has no memory of its own. */
const alone = (bytes: Uint8Array): ArrayBuffer => {
  const copy = new ArrayBuffer(bytes.length);
  new Uint8Array(copy).set(bytes);
  return copy;
};
const fromHex = (hex: string): ArrayBuffer => alone(Buffer.from(hex, 'hex'));
const infoOf = (purpose: BoxPurpose): ArrayBuffer => alone(Buffer.from(`strongroom/fleet/v1/box/${purpose}`, 'utf8'));

export async function createSealingPair(): Promise<{ secret: string; publicKey: string }> {
  const pair = await suite.kem.generateKeyPair();
  const secret = Buffer.from(await suite.kem.serializePrivateKey(pair.privateKey)).toString('hex');
  return { secret, publicKey: Buffer.from(await suite.kem.serializePublicKey(pair.publicKey)).toString('hex') };
}

/** `boundTo` is the digest of the manifest for which the box was made. */
export async function sealBox(purpose: BoxPurpose, sealingKey: string, boundTo: string, plain: Buffer): Promise<Box> {
  const recipientPublicKey = await suite.kem.deserializePublicKey(fromHex(sealingKey));
  const sender = await suite.createSenderContext({ recipientPublicKey, info: infoOf(purpose) });
  const secret = alone(plain);
  try {
    const sealed = await sender.seal(secret, fromHex(boundTo));
    return { enc: Buffer.from(sender.enc).toString('hex'), sealed: Buffer.from(sealed).toString('base64') };
  } finally {
    new Uint8Array(secret).fill(0);
  }
}

/** Throws `Refused` unless the box was sealed to this key for this purpose and this manifest. The caller wipes the result. */
export async function openBox(purpose: BoxPurpose, sealingSecret: string, boundTo: string, box: Box): Promise<Buffer> {
  try {
    const recipientKey = await suite.kem.deserializePrivateKey(fromHex(sealingSecret));
    const recipient = await suite.createRecipientContext({ recipientKey, enc: fromHex(box.enc), info: infoOf(purpose) });
    return Buffer.from(await recipient.open(alone(Buffer.from(box.sealed, 'base64')), fromHex(boundTo)));
  } catch {
    throw new Refused('The sealed secret is not for this machine, or not for this manifest.');
  }
}
