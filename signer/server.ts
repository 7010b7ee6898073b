import { chmodSync } from 'node:fs';
import { unlink } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import type { Logger } from '../platform/logger';
import { contextFrom, inContext } from '../platform/request-context';
import { errorCode } from './error-code';
import { FrameChannel } from './frames';
import { createOrderCounts, type OrderCounts } from './order-counts';
import {
  type CreatedKey,
  type CreateKeyOrder,
  Envelope,
  type Health,
  type OrderOp,
  type OrderOutcome,
  type Reply,
  Request,
  type SignTransferOrder,
  type Stats,
  type TransferSignature,
} from './protocol';
import { Refusal } from './refusal';
import type { Rotations } from './rotations';

const CONNECTIONS_MAX = 64;
const REQUESTS_AT_ONCE_MAX = 1_024;
const HANDSHAKE_TIMEOUT_MS = 5_000;
const SHUTDOWN_TIMEOUT_MS = 5_000;

export type Operations = {
  health(): Health;
  createKey(order: CreateKeyOrder): Promise<CreatedKey>;
  signTransfer(order: SignTransferOrder): Promise<TransferSignature>;
} & Rotations;

function dispatch(request: Request, operations: Operations, counts: OrderCounts): unknown {
  switch (request.op) {
    case 'health':
      return operations.health();
    case 'stats': {
      const { journalEntries, logEntries } = operations.health();
      return { journalEntries, logEntries, orders: counts.list() } satisfies Stats;
    }
    case 'createKey':
      return operations.createKey(request.order);
    case 'signTransfer':
      return operations.signTransfer(request.order);
    case 'rewrapDek':
      return operations.rewrapDek(request.order);
    case 'rewrapJournal':
      return operations.rewrapJournal(request.order);
    case 'createDek':
      return operations.createDek(request.order);
    case 'resealKey':
      return operations.resealKey(request.order);
  }
}

/** The record that an order concerns, for the log. */
function recordOf({ order }: Extract<Request, { order: unknown }>): string {
  if ('requestId' in order) return order.requestId;
  if ('keyId' in order) return order.keyId;
  return 'dek' in order ? order.dek.dekId : order.kekId;
}

/** Never throws: a fault of ours leaves as a word, its story stays in the log. */
async function answer(id: number, message: unknown, operations: Operations, counts: OrderCounts, logger: Logger): Promise<Reply> {
  const started = performance.now();
  let op: OrderOp | 'health' | 'stats' = 'unknown';
  const count = (outcome: OrderOutcome) => {
    if (op !== 'health' && op !== 'stats') counts.add(op, outcome, (performance.now() - started) / 1_000);
  };
  try {
    const request = Request.safeParse(message);
    if (!request.success) throw new Refusal('MalformedOrder');
    op = request.data.op;
    const result = await dispatch(request.data, operations, counts);
    count('Done');
    if (!('order' in request.data)) return { id, ok: true, result };
    const ms = Math.round((performance.now() - started) * 10) / 10;
    logger.info({ op, recordId: recordOf(request.data), ms }, 'order done');
    return { id, ok: true, result, ...(request.data.requestId === undefined ? {} : { ms }) };
  } catch (error) {
    count(error instanceof Refusal ? error.reason : 'Failed');
    if (error instanceof Refusal) {
      logger.warn({ op, reason: error.reason }, 'order refused');
      return { id, ok: false, code: 'Refused', reason: error.reason, signedBefore: error.signedBefore };
    }
    logger.error({ op, err: error }, 'order failed');
    return { id, ok: false, code: 'Unavailable', reason: 'Internal' };
  }
}

/** Answers one connection. The result of this function ends it once the requests that have begun are answered. */
function serve(socket: Socket, authKey: Buffer, operations: Operations, counts: OrderCounts, logger: Logger): () => void {
  let atOnce = 0;
  let finishing = false;
  const endWhenIdle = () => finishing && atOnce === 0 && socket.end();
  const finish = () => {
    finishing = true;
    socket.pause();
    endWhenIdle();
  };

  const onBody = (body: Buffer) => {
    const message: unknown = JSON.parse(body.toString('utf8'));
    const { id, requestId } = Envelope.parse(message);
    if (atOnce >= REQUESTS_AT_ONCE_MAX) throw new Error('too many requests at once');
    atOnce += 1;
    const answered = inContext(contextFrom({ requestId }), () => answer(id, message, operations, counts, logger));
    void answered.then((reply) => {
      atOnce -= 1;
      if (socket.writable) channel.send(Buffer.from(JSON.stringify(reply)));
      endWhenIdle();
    });
  };
  const channel = new FrameChannel('signer', authKey, (bytes) => socket.write(bytes), onBody);

  // A connection that says nothing is a free place taken.
  const handshake = setTimeout(() => channel.isOpen || socket.destroy(), HANDSHAKE_TIMEOUT_MS);
  socket.on('close', () => clearTimeout(handshake));
  socket.on('error', () => socket.destroy());
  socket.on('end', finish);
  socket.on('data', (chunk: Buffer) => {
    try {
      channel.receive(chunk);
    } catch {
      logger.warn('connection ended: it does not speak the protocol or does not know the key');
      socket.destroy();
    }
  });
  return finish;
}

/** Listens on a socket that only its owner and group can reach. The caller holds the state folder's lock, so a socket that lies there is a dead one. */
export async function startServer(path: string, authKey: Buffer, operations: Operations, logger: Logger) {
  const connections = new Map<Socket, () => void>();
  const counts = createOrderCounts();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections.set(socket, serve(socket, authKey, operations, counts, logger));
    socket.on('close', () => connections.delete(socket));
  });
  server.maxConnections = CONNECTIONS_MAX;
  await unlink(path).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error;
  });
  // Between bind and chmod the socket has the process's mask: it must not be wider than the mode wanted.
  const mask = process.umask(0o117);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(path, resolve);
    });
  } finally {
    process.umask(mask);
  }
  chmodSync(path, 0o660);

  /** Takes no new connection, lets begun requests finish, then ends. */
  const stop = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const finish of connections.values()) finish();
    const forced = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, SHUTDOWN_TIMEOUT_MS);
    await closed;
    clearTimeout(forced);
  };
  return { stop };
}
