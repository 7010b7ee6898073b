import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const NONCE_BYTES = 32;
const LENGTH_BYTES = 4;
const MAC_BYTES = 32;
/**
 * A usual order with its rows is about 2 KiB. The longest order contains the output of a device as text, whose quotation marks
 * the frame escapes, and the evidence.
 */
export const BODY_BYTES_MAX = 10 * 1024 * 1024;

const TO_SIGNER = 1;
const FROM_SIGNER = 2;

/** The peer broke the protocol or does not know the key, and the connection ends. */
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
 * Both sides first send 32 random bytes, and derive a session key from these bytes and the shared key. A frame is a length, an
 * HMAC and a body. The HMAC covers the direction, the position and the body. A frame that is replayed, reordered, reflected or
 * from another connection therefore fails.
 */
export class FrameChannel {
  private readonly ownNonce = randomBytes(NONCE_BYTES);
  private readonly outbound: number;
  private readonly inbound: number;
  private sessionKey: Buffer | undefined;
  private sent = 0n;
  private received = 0n;
  /** Chunks are joined only once a message is complete, so that a message that arrives byte by byte causes no copies. */
  private pieces: Buffer[] = [];
  private pieceBytes = 0;
  /** The number of bytes that the next item needs. */
  private wanted = NONCE_BYTES;
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

  /** True if a message, or the greeting, has arrived only in part. */
  get isPartial(): boolean {
    return this.pieceBytes > 0;
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

  /** Throws `FrameError` if the bytes cannot be from the peer. */
  receive(chunk: Buffer): void {
    this.pieces.push(chunk);
    this.pieceBytes += chunk.length;
    while (this.pieceBytes >= this.wanted) {
      const [only] = this.pieces;
      const bytes = this.pieces.length === 1 && only ? only : Buffer.concat(this.pieces);
      const used = this.read(bytes);
      this.pieces = used < bytes.length ? [bytes.subarray(used)] : [];
      this.pieceBytes = bytes.length - used;
    }
  }

  /** `bytes` holds at least `wanted` bytes. Returns the number of used bytes. */
  private read(bytes: Buffer): number {
    if (!this.sessionKey) {
      this.agree(Buffer.from(bytes.subarray(0, NONCE_BYTES)));
      this.wanted = LENGTH_BYTES;
      return NONCE_BYTES;
    }
    const length = bytes.readUInt32BE(0);
    if (length > BODY_BYTES_MAX) throw new FrameError('the message is too large');
    const end = LENGTH_BYTES + MAC_BYTES + length;
    this.wanted = bytes.length < end ? end : LENGTH_BYTES;
    if (bytes.length < end) return 0;
    const bodyAt = LENGTH_BYTES + MAC_BYTES;
    this.accept(this.sessionKey, bytes.subarray(LENGTH_BYTES, bodyAt), bytes.subarray(bodyAt, end));
    return end;
  }

  private accept(sessionKey: Buffer, mac: Buffer, body: Buffer): void {
    if (!timingSafeEqual(mac, macOf(sessionKey, this.inbound, this.received, body))) {
      throw new FrameError('the message does not authenticate');
    }
    this.received += 1n;
    this.onBody(body);
  }

  private agree(peerNonce: Buffer): void {
    const [client, signer] = this.side === 'client' ? [this.ownNonce, peerNonce] : [peerNonce, this.ownNonce];
    this.sessionKey = createHmac('sha256', this.authKey).update('signer/session/v1').update(client).update(signer).digest();
    for (const body of this.early.splice(0)) this.send(body);
  }
}
