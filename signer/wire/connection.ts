import type { Socket } from 'node:net';
import type { Logger } from '../../platform/logger';
import { OrderEnvelope, type Reply } from '../protocol';
import { FrameChannel } from './frames';

const LIMITS = {
  /** Time for the first authenticated message, so that no idle caller without the key occupies a connection. */
  strangerMs: 5_000,
  /** The time within which a message that has begun must be complete. */
  messageMs: 5_000,
  /** Bytes that may be queued for a caller that sends requests and does not read replies. */
  unreadBytes: 4 * 1024 * 1024,
};

/**
 * The outer shape is valid, and the rest is not parsed yet. `isGone` returns true if the caller has stopped waiting for the
 * reply.
 */
export type WireRequest = {
  readonly envelope: OrderEnvelope;
  readonly message: unknown;
  readonly bytes: number;
  readonly isGone: () => boolean;
};

type Parts = {
  readonly authKey: Buffer;
  readonly logger: Logger;
  /** Never rejects. Resolves to undefined if the caller no longer listens. */
  readonly answer: (asked: WireRequest) => Promise<Reply | undefined>;
  /** Called once the caller has proved knowledge of the key. */
  readonly onAuthentic: () => void;
};

/** The returned function ends the connection once every request that has begun has its reply. */
export function serve(socket: Socket, { authKey, logger, answer, onAuthentic }: Parts, limits = LIMITS): () => void {
  let atOnce = 0;
  let messages = 0;
  let finishing = false;
  let partial: NodeJS.Timeout | undefined;
  const endWhenIdle = () => finishing && atOnce === 0 && socket.end();
  const finish = () => {
    finishing = true;
    socket.pause();
    endWhenIdle();
  };
  const end = (why: string) => {
    logger.warn(`connection ended: ${why}`);
    socket.destroy();
  };

  const onBody = (body: Buffer) => {
    const message: unknown = JSON.parse(body.toString('utf8'));
    const envelope = OrderEnvelope.parse(message);
    messages += 1;
    if (messages === 1) onAuthentic();
    atOnce += 1;
    const answered = answer({ envelope, message, bytes: body.length, isGone: () => socket.destroyed });
    void answered.then((reply) => {
      atOnce -= 1;
      if (reply && socket.writable) channel.send(Buffer.from(JSON.stringify(reply)));
      if (socket.writableLength > limits.unreadBytes) end('the caller does not read its replies');
      endWhenIdle();
    });
  };
  const channel = new FrameChannel('signer', authKey, (bytes) => socket.write(bytes), onBody);

  const stranger = setTimeout(() => messages > 0 || socket.destroy(), limits.strangerMs);
  /** Every complete message restarts the time limit `messageMs`. */
  const limitPartial = (hadMessages: number) => {
    if (messages !== hadMessages || !channel.isPartial) {
      clearTimeout(partial);
      partial = undefined;
    }
    if (channel.isPartial) partial ??= setTimeout(() => end('a message was not complete in time'), limits.messageMs);
  };
  socket.on('close', () => {
    clearTimeout(stranger);
    clearTimeout(partial);
  });
  socket.on('error', () => socket.destroy());
  socket.on('end', finish);
  socket.on('data', (chunk: Buffer) => {
    const hadMessages = messages;
    try {
      channel.receive(chunk);
      limitPartial(hadMessages);
    } catch {
      end('the caller does not follow the protocol or does not know the key');
    }
  });
  return finish;
}
