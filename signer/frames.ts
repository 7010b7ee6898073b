import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 32;
const LENGTH_BYTES = 4;
const MAC_BYTES = 32;
/** An order with its rows is about 2 KiB. */
export const BODY_BYTES_MAX = 64 * 1024;

const TO_SIGNER = 1;
const FROM_SIGNER = 2;

/** The other side broke the protocol or does not know the key; the connection ends. */
export class FrameError extends Error {
  override readonly name = 'FrameError';
}

function macOf(sessionKey: Buffer, direction: number, sequence: bigint, body: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUInt8(direction, 0);
  head.writeBigUInt64BE(sequence, 1);
  return createHmac('sha256', sessionKey).update(head).update(body).digest();
}

/**
 * One side of a connection. Both send 32 random bytes first, from which and the shared key a session key follows; every frame
 * is length, HMAC over direction, place and body, body. A frame that is replayed, reordered, reflected or taken from another
 * connection therefore does not fit.
 */
export class FrameChannel {
  private readonly ownNonce = randomBytes(NONCE_BYTES);
  private readonly outbound: number;
  private readonly inbound: number;
  private sessionKey: Buffer | undefined;
  private sent = 0n;
  private received = 0n;
  private rest: Buffer = Buffer.alloc(0);
  private early: Buffer[] = [];

  constructor(
    private readonly side: 'client' | 'signer',
    private readonly authKey: Buffer,
    private readonly write: (bytes: Buffer) => void,
    private readonly onBody: (body: Buffer) => void,
  ) {
    this.outbound = side === 'client' ? TO_SIGNER : FROM_SIGNER;
    this.inbound = side === 'client' ? FROM_SIGNER : TO_SIGNER;
    write(this.ownNonce);
  }

  get isOpen(): boolean {
    return this.sessionKey !== undefined;
  }

  send(body: Buffer): void {
    if (body.length > BODY_BYTES_MAX) throw new FrameError('the message is too large');
    if (!this.sessionKey) {
      this.early.push(body);
      return;
    }
    const length = Buffer.alloc(LENGTH_BYTES);
    length.writeUInt32BE(body.length);
    this.write(Buffer.concat([length, macOf(this.sessionKey, this.outbound, this.sent, body), body]));
    this.sent += 1n;
  }

  /** Takes bytes as they come; throws `FrameError` when they cannot be the other side's. */
  receive(chunk: Buffer): void {
    this.rest = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    if (!this.sessionKey && !this.agree()) return;
    while (this.rest.length >= LENGTH_BYTES) {
      const length = this.rest.readUInt32BE(0);
      if (length > BODY_BYTES_MAX) throw new FrameError('the message is too large');
      const end = LENGTH_BYTES + MAC_BYTES + length;
      if (this.rest.length < end) return;
      const mac = this.rest.subarray(LENGTH_BYTES, LENGTH_BYTES + MAC_BYTES);
      const body = this.rest.subarray(LENGTH_BYTES + MAC_BYTES, end);
      this.rest = this.rest.subarray(end);
      this.accept(mac, body);
    }
  }

  private accept(mac: Buffer, body: Buffer): void {
    if (!this.sessionKey || !timingSafeEqual(mac, macOf(this.sessionKey, this.inbound, this.received, body))) {
      throw new FrameError('the message does not authenticate');
    }
    this.received += 1n;
    this.onBody(body);
  }

  private agree(): boolean {
    if (this.rest.length < NONCE_BYTES) return false;
    const peerNonce = this.rest.subarray(0, NONCE_BYTES);
    this.rest = this.rest.subarray(NONCE_BYTES);
    const [client, signer] = this.side === 'client' ? [this.ownNonce, peerNonce] : [peerNonce, this.ownNonce];
    this.sessionKey = createHmac('sha256', this.authKey).update('signer/session/v1').update(client).update(signer).digest();
    for (const body of this.early.splice(0)) this.send(body);
    return true;
  }
}
