import { during } from '../../../platform/points';
import type { SignerPlace } from '../../../platform/signer-place';
import {
  decodeReplicaMessage,
  encodeReplicaMessage,
  type Joined,
  type Message,
  PIECE_BYTES_MAX,
  type ReplicaRefusal,
  ReplicaReply,
  type ReplicaRequest,
} from '../../replica/messages';
import { dial } from '../../wire/dial';
import { FrameChannel } from '../../wire/frames';

/** The replica refused the message. */
export class ReplicaRefused extends Error {
  override readonly name = 'ReplicaRefused';

  constructor(readonly reason: ReplicaRefusal) {
    super(`the replica refuses: ${reason}`);
  }
}

export type ReplicaAddress = { readonly place: SignerPlace; readonly authKey: Buffer };
type Waiting = { resolve(message: Message<ReplicaReply>): void; reject(error: Error): void };
type Where = { readonly segment: number; readonly offsetBytes: number };

/** One connection. Replies come in the order of the requests. If a reply does not arrive in time, the connection ends. */
export interface ReplicaSession {
  readonly closed: Promise<void>;
  ask(head: ReplicaRequest, bytes?: Uint8Array, limitMs?: number): Promise<Buffer>;
  join(): Promise<Joined>;
  put(where: Where, bytes: Buffer, limitMs?: number): Promise<void>;
  end(): void;
}

const ASK_MS = 3_000;

const unreachable = (trouble: Error | undefined) =>
  new Error(`the replica cannot be reached: ${trouble?.message ?? 'it ended the connection'}`, { cause: trouble });

/** Throws if the certificates cannot be read. If the address cannot be reached, the first request is rejected. */
export function openReplicaSession({ place, authKey }: ReplicaAddress): ReplicaSession {
  const socket = dial(place);
  const waiting: Waiting[] = [];
  let trouble: Error | undefined;
  const onBody = (body: Buffer) => waiting.shift()?.resolve(decodeReplicaMessage(ReplicaReply, body));
  const channel = new FrameChannel('client', authKey, (bytes) => socket.write(bytes), onBody);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', (error) => {
    trouble = error;
  });
  socket.on('close', () => {
    for (const { reject } of waiting.splice(0)) reject(unreachable(trouble));
  });
  socket.on('data', (chunk: Buffer) => {
    try {
      channel.receive(chunk);
    } catch (error) {
      socket.destroy(error instanceof Error ? error : undefined);
    }
  });

  const ask = async (head: ReplicaRequest, bytes?: Uint8Array, limitMs = ASK_MS): Promise<Message<ReplicaReply>> => {
    if (socket.destroyed) throw unreachable(trouble);
    const late = setTimeout(() => socket.destroy(new Error(`no answer within ${limitMs} ms`)), limitMs);
    try {
      const reply = await new Promise<Message<ReplicaReply>>((resolve, reject) => {
        waiting.push({ resolve, reject });
        channel.send(encodeReplicaMessage(head, bytes));
      });
      if (!reply.head.ok) throw new ReplicaRefused(reply.head.reason);
      return reply;
    } finally {
      clearTimeout(late);
    }
  };

  return {
    closed,
    ask: async (...asked) => (await ask(...asked)).bytes,
    async join() {
      const { head } = await ask({ op: 'Join' });
      if (!head.ok || !head.joined) throw new Error('the replica does not answer as a replica');
      return head.joined;
    },
    put: (where, bytes, limitMs) =>
      during('replicateBatch', bytes, async () => {
        const pieces = Math.max(1, Math.ceil(bytes.length / PIECE_BYTES_MAX));
        const sent = Array.from({ length: pieces }, (_, at) => {
          const piece = bytes.subarray(at * PIECE_BYTES_MAX, (at + 1) * PIECE_BYTES_MAX);
          return ask({ op: 'Put', ...where, isLastPiece: at === pieces - 1 }, piece, limitMs);
        });
        await Promise.all(sent);
      }),
    end: () => void socket.destroy(),
  };
}
