import type { Socket } from 'node:net';
import type { z } from 'zod';
import { AppError } from '../domain/errors';
import { refusalText } from '../domain/signer-refusals';
import { SignedAttestation } from '../platform/address-attestation';
import { SignedCheckpoint } from '../platform/chain-checkpoint';
import { asking } from '../platform/points';
import { requestContext } from '../platform/request-context';
import type { SignerPlace } from '../platform/signer-place';
import { inSpan } from '../platform/spans';
import { CharterHead } from './charters/amend-charter-order';
import { CharterList, CharterPart } from './charters/read-charter-order';
import { KeyStoreList } from './key-stores/reported-key-stores';
import { FLEET_RESULTS } from './orders/fleets/fleet-requests';
import { FreezeStanding } from './orders/freeze-orders';
import { DekRow, SealedKeyRow } from './orders/key-rows';
import { Withdrawn } from './orders/never-sign';
import { WereSigned } from './orders/was-signed';
import {
  Anchor,
  CreatedKey,
  ExportedKey,
  Health,
  JournalRewrapped,
  PayloadSignature,
  ReplicaState,
  Reply,
  type Request,
  Resources,
  SharedOutput,
  type SignerClient,
  Stats,
  Switches,
  TransferSignature,
} from './protocol';
import { dial } from './wire/dial';
import { FrameChannel } from './wire/frames';
import { ASK_AGAIN, type RefusalReason } from './wire/refusal-reasons';

type Options = { readonly authKey: Buffer; readonly timeoutMs: number } & (
  | { readonly socketPath: string }
  | { readonly place: SignerPlace }
);
type Answer = { readonly result: unknown; readonly ms?: number | undefined };
type Waiting = { resolve(answer: Answer): void; reject(error: AppError): void };
type Asked = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never;
type Connection = { readonly socket: Socket; readonly channel: FrameChannel; readonly waiting: Map<number, Waiting> };

const unavailable = (message: string, cause?: unknown) => new AppError('SignerUnavailable', message, {}, cause);

function refusedBy({ reason, signedBefore }: { reason: RefusalReason; signedBefore: boolean }): AppError {
  if (ASK_AGAIN.has(reason)) return new AppError('SignerUnavailable', `The signer requires a fresh order: ${reason}`, { reason });
  return new AppError('SignerRefused', refusalText(reason), { reason, nothingSigned: !signedBefore });
}

function settle(waiting: Map<number, Waiting>, body: Buffer): void {
  const reply = Reply.parse(JSON.parse(body.toString('utf8')));
  const waiter = waiting.get(reply.id);
  waiting.delete(reply.id);
  if (reply.ok) waiter?.resolve(reply);
  else
    waiter?.reject(
      reply.code === 'Refused' ? refusedBy(reply) : unavailable(`The signer could not process the request: ${reply.reason}`),
    );
}

/**
 * Opens a connection and sends nothing yet. The client sends orders only after the signer's greeting. Over TLS the greeting
 * follows the handshake, so no order leaves before both sides have verified the certificates.
 */
function open(place: SignerPlace): Socket {
  try {
    return dial(place);
  } catch (error) {
    throw unavailable('The certificates for the connection to the signer cannot be used', error);
  }
}

/** `onClose` runs before the waiting requests fail. */
function connect(place: SignerPlace, authKey: Buffer, onClose: (closed: Connection) => void): Connection {
  const waiting = new Map<number, Waiting>();
  const socket = open(place);
  const onBody = (body: Buffer) => settle(waiting, body);
  const connection = { socket, waiting, channel: new FrameChannel('client', authKey, (bytes) => socket.write(bytes), onBody) };
  let trouble: unknown;
  socket.on('error', (error) => {
    trouble = error;
  });
  socket.on('close', () => {
    onClose(connection);
    // The signer might have executed these orders. A retry is safe, because the signer returns the earlier result.
    for (const { reject } of waiting.values()) reject(unavailable('The signer cannot be reached', trouble));
    waiting.clear();
  });
  socket.on('data', (chunk: Buffer) => {
    try {
      connection.channel.receive(chunk);
    } catch (error) {
      socket.destroy(error instanceof Error ? error : undefined);
    }
  });
  return connection;
}

const forRequest = () => {
  const { requestId } = requestContext();
  return requestId === undefined ? {} : { requestId };
};

/** One connection carries many requests at once. The client reopens a lost connection. */
function createAsking({ authKey, timeoutMs, ...where }: Options) {
  const place = 'place' in where ? where.place : { path: where.socketPath };
  let current: Connection | undefined;
  let lastId = 0;

  const forget = (closed: Connection) => {
    if (current === closed) current = undefined;
  };

  const askNow = async <T>(asked: Asked, result: z.ZodType<T>, onMs: (ms: number | undefined) => void): Promise<T> => {
    current ??= connect(place, authKey, forget);
    const { channel, waiting } = current;
    const id = ++lastId;
    let timer: NodeJS.Timeout | undefined;
    try {
      const answer = await new Promise<Answer>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        timer = setTimeout(() => reject(unavailable(`The signer did not answer within ${timeoutMs} ms`)), timeoutMs);
        channel.send(Buffer.from(JSON.stringify({ id, ...asked })));
      });
      onMs(answer.ms);
      return result.parse(answer.result);
    } catch (error) {
      throw error instanceof AppError ? error : unavailable('The reply of the signer cannot be read', error);
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };

  const ask = <T>(asked: Asked, result: z.ZodType<T>): Promise<T> =>
    inSpan({ name: `signer ${asked.op}`, kind: 'client', attributes: { 'strongroom.signer.op': asked.op } }, (span) =>
      asking(asked.op, () => askNow(asked, result, (ms) => span.set({ 'strongroom.signer.ms': ms }))),
    );

  return {
    ask,
    async close() {
      const socket = current?.socket;
      current = undefined;
      if (!socket || socket.closed) return;
      await new Promise<void>((resolve) => {
        socket.once('close', () => resolve());
        socket.destroy();
      });
    },
  };
}

export function createSignerClient(options: Options): SignerClient {
  const { ask, close } = createAsking(options);
  return {
    health: () => ask({ op: 'health' }, Health),
    stats: () => ask({ op: 'stats' }, Stats),
    switches: () => ask({ op: 'switches' }, Switches),
    resources: () => ask({ op: 'resources' }, Resources),
    replica: () => ask({ op: 'replica' }, ReplicaState),
    anchor: () => ask({ op: 'anchor' }, Anchor),
    listCharters: (question) => ask({ op: 'listCharters', ...question }, CharterList),
    listKeyStores: (question) => ask({ op: 'listKeyStores', ...question }, KeyStoreList),
    createKey: (order) => ask({ op: 'createKey', ...forRequest(), order }, CreatedKey),
    attestAddress: (order) => ask({ op: 'attestAddress', ...forRequest(), order }, SignedAttestation),
    attestFeed: (order) => ask({ op: 'attestFeed', ...forRequest(), order }, SignedCheckpoint),
    attestAuditLog: (order) => ask({ op: 'attestAuditLog', ...forRequest(), order }, SignedCheckpoint),
    importKey: (order) => ask({ op: 'importKey', ...forRequest(), order }, CreatedKey),
    exportKey: (order) => ask({ op: 'exportKey', ...forRequest(), order }, ExportedKey),
    deriveShared: (order) => ask({ op: 'deriveShared', ...forRequest(), order }, SharedOutput),
    signPayload: (order) => ask({ op: 'signPayload', ...forRequest(), order }, PayloadSignature),
    signUtxo: (order) => ask({ op: 'signUtxo', ...forRequest(), order }, PayloadSignature),
    signTransfer: (order) => ask({ op: 'signTransfer', ...forRequest(), order }, TransferSignature),
    signSponsored: (order) => ask({ op: 'signSponsored', ...forRequest(), order }, PayloadSignature),
    signSolana: (order) => ask({ op: 'signSolana', ...forRequest(), order }, PayloadSignature),
    sealFleetInput: (order) => ask({ op: 'sealFleetInput', ...forRequest(), order }, FLEET_RESULTS.sealFleetInput),
    recordFleet: (order) => ask({ op: 'recordFleet', ...forRequest(), order }, FLEET_RESULTS.recordFleet),
    recordProofs: (order) => ask({ op: 'recordProofs', ...forRequest(), order }, FLEET_RESULTS.recordProofs),
    assignFleetKey: (order) => ask({ op: 'assignFleetKey', ...forRequest(), order }, FLEET_RESULTS.assignFleetKey),
    recordSignatures: (order) => ask({ op: 'recordSignatures', ...forRequest(), order }, FLEET_RESULTS.recordSignatures),
    vouchTransfer: (order) => ask({ op: 'vouchTransfer', ...forRequest(), order }, FLEET_RESULTS.vouchTransfer),
    vouchUtxo: (order) => ask({ op: 'vouchUtxo', ...forRequest(), order }, FLEET_RESULTS.vouchUtxo),
    vouchSolana: (order) => ask({ op: 'vouchSolana', ...forRequest(), order }, FLEET_RESULTS.vouchSolana),
    vouchPayload: (order) => ask({ op: 'vouchPayload', ...forRequest(), order }, FLEET_RESULTS.vouchPayload),
    withdraw: (order) => ask({ op: 'withdraw', ...forRequest(), order }, Withdrawn),
    wasSigned: (order) => ask({ op: 'wasSigned', ...forRequest(), order }, WereSigned),
    rewrapDek: (order) => ask({ op: 'rewrapDek', ...forRequest(), order }, DekRow),
    rewrapJournal: (order) => ask({ op: 'rewrapJournal', ...forRequest(), order }, JournalRewrapped),
    createDek: (order) => ask({ op: 'createDek', ...forRequest(), order }, DekRow),
    setFreeze: (order) => ask({ op: 'setFreeze', ...forRequest(), order }, FreezeStanding),
    releaseFreeze: (order) => ask({ op: 'releaseFreeze', ...forRequest(), order }, FreezeStanding),
    amendCharter: (order) => ask({ op: 'amendCharter', ...forRequest(), order }, CharterHead),
    readCharter: (order) => ask({ op: 'readCharter', ...forRequest(), order }, CharterPart),
    resealKey: (order) => ask({ op: 'resealKey', ...forRequest(), order }, SealedKeyRow),
    close,
  };
}
