import { createConnection } from 'node:net';
import { z } from 'zod';
import { FrameChannel } from '../signer/wire/frames';

const Reply = z.object({ id: z.number(), ok: z.boolean(), result: z.unknown().optional(), reason: z.string().optional() });

/** The signer's reply to one message. A closed connection is treated as a refusal. */
export type Outcome =
  | { readonly kind: 'Accepted'; readonly result: unknown }
  | { readonly kind: 'Refused'; readonly reason: string };
const ENDED: Outcome = { kind: 'Refused', reason: 'connection ended' };

/** The text of the message with this number. `message` contains `op` and the members of the order. */
export function messageText(id: number, message: object): string {
  const { op, ...order } = { op: undefined, ...message };
  return JSON.stringify({ id, op, order });
}

/** A connection to the signer's socket that sends any text in authenticated frames. */
export function createWire(socketPath: string, authKey: Buffer, replyWithinMs: number) {
  const waiting = new Map<number, (outcome: Outcome) => void>();
  let count = 0;
  let live: { readonly channel: FrameChannel; readonly close: () => void } | undefined;

  const settleAll = () => {
    live = undefined;
    for (const settle of waiting.values()) settle(ENDED);
    waiting.clear();
  };
  const onBody = (body: Buffer) => {
    const { id, ok, result, reason = 'unknown' } = Reply.parse(JSON.parse(body.toString('utf8')));
    waiting.get(id)?.(ok ? { kind: 'Accepted', result } : { kind: 'Refused', reason });
    waiting.delete(id);
  };
  const open = () => {
    const socket = createConnection(socketPath);
    const channel = new FrameChannel('client', authKey, (bytes) => socket.write(bytes), onBody);
    socket.on('data', (chunk: Buffer) => channel.receive(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', settleAll);
    return { channel, close: () => socket.destroy() };
  };

  /** `textOf` makes the text of the message with this number. */
  const sendText = (textOf: (id: number) => string): Promise<Outcome> =>
    new Promise((resolve) => {
      count += 1;
      const id = count;
      const late = setTimeout(() => {
        waiting.delete(id);
        resolve({ kind: 'Refused', reason: 'no reply' });
      }, replyWithinMs);
      waiting.set(id, (outcome) => {
        clearTimeout(late);
        resolve(outcome);
      });
      live ??= open();
      live.channel.send(Buffer.from(textOf(id), 'utf8'));
    });
  return {
    sendText,
    send: (order: object): Promise<Outcome> => sendText((id) => messageText(id, order)),
    close: () => live?.close(),
  };
}
export type Wire = ReturnType<typeof createWire>;

/** Sends bytes that do not follow the protocol on a new connection. Resolves when the connection closes, or after the limit. */
export function sendRaw(socketPath: string, bytes: Uint8Array, limitMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = createConnection(socketPath);
    const late = setTimeout(() => socket.destroy(), limitMs);
    // The signer resets a connection with unread bytes.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      clearTimeout(late);
      resolve(ENDED);
    });
    socket.resume();
    socket.end(bytes);
  });
}
