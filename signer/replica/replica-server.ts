import type { Socket } from 'node:net';
import type { Logger } from '../../platform/logger';
import { FrameChannel } from '../wire/frames';
import { decodeReplicaMessage, encodeReplicaMessage, type Message, type ReplicaReply, ReplicaRequest } from './messages';
import { NotTaken, type ReplicaFolder } from './replica-folder';

/** Time for the first authenticated message. */
const STRANGER_MS = 5_000;

type Parts = {
  readonly folder: ReplicaFolder;
  readonly authKey: Buffer;
  readonly logger: Logger;
  /** Called for each message that the folder fails to carry out. */
  readonly onBroken: (cause: unknown) => void;
};
type Caller = { readonly end: () => void; pieces: Buffer[] };
type Answer = { readonly reply: ReplicaReply; readonly bytes?: Buffer };

const DONE: Answer = { reply: { ok: true } };

/** Remembers the signer that began last. */
function createAnswers({ folder, logger, onBroken }: Omit<Parts, 'authKey'>) {
  let current: Caller | undefined;

  const carryOut = async ({ head, bytes }: Message<ReplicaRequest>, caller: Caller): Promise<Answer> => {
    if (head.op === 'Join') return { reply: { ok: true, joined: folder.joined() } };
    if (head.op === 'Get') return { ...DONE, bytes: await folder.bytesFrom(head.segment, head.offsetBytes) };
    if (head.op === 'Begin') {
      await folder.begin(head);
      if (current !== caller) current?.end();
      current = caller;
      logger.info({ epoch: head.epoch }, 'a signer has joined');
      return DONE;
    }
    if (current !== caller) throw new NotTaken('OlderEpoch');
    if (head.op === 'File') await folder.keep(head.name, head.isGone ? undefined : bytes);
    else {
      caller.pieces.push(Buffer.from(bytes));
      if (head.isLastPiece) await folder.append(head.segment, head.offsetBytes, Buffer.concat(caller.pieces.splice(0)));
    }
    return DONE;
  };

  const answer = async (message: Message<ReplicaRequest>, caller: Caller): Promise<Answer> => {
    try {
      return await carryOut(message, caller);
    } catch (error) {
      if (error instanceof NotTaken) {
        logger.warn({ op: message.head.op, reason: error.reason }, 'refused');
        return { reply: { ok: false, reason: error.reason } };
      }
      onBroken(error);
      return { reply: { ok: false, reason: 'Medium' } };
    }
  };

  return {
    answer,
    leave(caller: Caller): void {
      if (current === caller) current = undefined;
    },
  };
}

/**
 * Writes only for the signer that began last, and replies to `Join` and `Get` from every caller. The messages of all connections
 * are carried out one after another.
 */
export function createReplicaServer({ authKey, ...parts }: Parts) {
  const { logger } = parts;
  const { answer, leave } = createAnswers(parts);
  let queue: Promise<unknown> = Promise.resolve();

  /** The returned function ends the connection. */
  const serve = (socket: Socket, onAuthentic: () => void): (() => void) => {
    const end = () => socket.destroy();
    const caller: Caller = { end, pieces: [] };
    const stranger = setTimeout(end, STRANGER_MS);
    const onBody = (body: Buffer) => {
      const message = decodeReplicaMessage(ReplicaRequest, body);
      clearTimeout(stranger);
      onAuthentic();
      queue = queue.then(async () => {
        const { reply, bytes } = await answer(message, caller);
        if (socket.writable) channel.send(encodeReplicaMessage(reply, bytes));
        if (!reply.ok) socket.end();
      });
    };
    const channel = new FrameChannel('signer', authKey, (bytes) => socket.write(bytes), onBody);
    socket.on('close', () => {
      clearTimeout(stranger);
      leave(caller);
    });
    socket.on('error', end);
    socket.on('end', end);
    socket.on('data', (chunk: Buffer) => {
      try {
        channel.receive(chunk);
      } catch {
        logger.warn('connection ended: the caller does not follow the protocol or does not know the key');
        end();
      }
    });
    return end;
  };

  return {
    serve,
    /** Resolves once every message that has arrived is carried out. */
    settled: () => queue,
  };
}
