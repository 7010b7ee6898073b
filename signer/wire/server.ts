import type { Socket } from 'node:net';
import { z } from 'zod';
import type { Logger } from '../../platform/logger';
import { contextFrom, inContext } from '../../platform/request-context';
import type { SignerPlace } from '../../platform/signer-place';
import type { CharterList, ListChartersQuestion } from '../charters/read-charter-order';
import { createOrderCounts, type OrderCounts } from '../judging/order-counts';
import type { KeyStoreList, ListKeyStoresQuestion } from '../key-stores/reported-key-stores';
import {
  type Anchor,
  type FamilyOp,
  type FamilyOrders,
  type FleetOp,
  type FleetOrders,
  type Health,
  OrderOp,
  type OrderOutcome,
  type ReplicaState,
  type Reply,
  Request,
  type Resources,
  type SignerClient,
  type Stats,
  type Switches,
} from '../protocol';
import { serve, type WireRequest } from './connection';
import { createFairQueue, type FairQueue } from './fair-queue';
import { openListener } from './listener';
import { Refusal } from './refusal';
import { certificateAt } from './tls';

const SHUTDOWN_TIMEOUT_MS = 5_000;

/** Each handler has the name of the client's method for the same order. */
export type Operations = Omit<
  SignerClient,
  'health' | 'stats' | 'switches' | 'resources' | 'replica' | 'anchor' | 'listCharters' | 'listKeyStores' | 'close'
> & {
  health(): Health;
  room(): Pick<Resources, 'stateFreeBytes' | 'stateBytes'>;
  switches(): Switches;
  replica(): ReplicaState;
  anchor(): Anchor;
  listCharters(question: ListChartersQuestion): CharterList;
  listKeyStores(question: ListKeyStoresQuestion): KeyStoreList;
};
/** Requests about the signer itself: they skip the queue and are not orders. */
const QUESTIONS = ['health', 'stats', 'switches', 'resources', 'replica', 'anchor', 'listCharters', 'listKeyStores'] as const;
type Question = (typeof QUESTIONS)[number];
const isQuestion = (op: string): op is Question => (QUESTIONS as readonly string[]).includes(op);

type Tools = {
  readonly place: SignerPlace;
  readonly operations: Operations;
  readonly counts: OrderCounts;
  readonly turns: FairQueue;
  readonly logger: Logger;
};

function dispatch(request: Request, { place, operations, counts, turns }: Tools): unknown {
  switch (request.op) {
    case 'health':
      return operations.health();
    case 'stats': {
      const { journalEntries, logEntries, arithmetic } = operations.health();
      return { journalEntries, logEntries, arithmetic, orders: counts.list(), ...turns.stats() } satisfies Stats;
    }
    case 'switches':
      return operations.switches();
    case 'resources':
      return { ...operations.room(), certificate: certificateAt(place) } satisfies Resources;
    case 'replica':
      return operations.replica();
    case 'anchor':
      return operations.anchor();
    case 'listCharters':
      return operations.listCharters(request);
    case 'listKeyStores':
      return operations.listKeyStores(request);
    case 'createKey':
      return operations.createKey(request.order);
    case 'attestAddress':
      return operations.attestAddress(request.order);
    case 'attestFeed':
      return operations.attestFeed(request.order);
    case 'attestAuditLog':
      return operations.attestAuditLog(request.order);
    case 'importKey':
      return operations.importKey(request.order);
    case 'exportKey':
      return operations.exportKey(request.order);
    case 'deriveShared':
      return operations.deriveShared(request.order);
    case 'signPayload':
      return operations.signPayload(request.order);
    case 'withdraw':
      return operations.withdraw(request.order);
    case 'wasSigned':
      return operations.wasSigned(request.order);
    case 'rewrapDek':
      return operations.rewrapDek(request.order);
    case 'rewrapJournal':
      return operations.rewrapJournal(request.order);
    case 'createDek':
      return operations.createDek(request.order);
    case 'resealKey':
      return operations.resealKey(request.order);
    case 'setFreeze':
      return operations.setFreeze(request.order);
    case 'releaseFreeze':
      return operations.releaseFreeze(request.order);
    case 'amendCharter':
      return operations.amendCharter(request.order);
    case 'readCharter':
      return operations.readCharter(request.order);
    default:
      return carryOut(operations, request);
  }
}

type ListedOrders = FamilyOrders & FleetOrders;
type ListedOp = FamilyOp | FleetOp;
type ListedRequest<Op extends ListedOp> = { readonly [One in Op]: { readonly op: One; readonly order: ListedOrders[One] } }[Op];

/** `operations` has a method for each listed order, because methods and orders derive from the lists in `orders/`. */
const carryOut = <Op extends ListedOp>(
  operations: { readonly [One in ListedOp]: (order: ListedOrders[One]) => unknown },
  { op, order }: ListedRequest<Op>,
): unknown => operations[op](order);

function recordOf({ order }: Extract<Request, { order: unknown }>): string {
  if ('requestId' in order) return order.requestId;
  if ('keyId' in order) return order.keyId;
  if ('freezeId' in order) return order.freezeId;
  if ('amendmentId' in order) return order.amendmentId;
  if ('offset' in order || 'sequence' in order || 'signatures' in order) return order.orgId;
  return 'dek' in order ? order.dek.dekId : order.kekId;
}

/** Never throws. For an internal error the caller gets one word, and the log gets the details. */
async function answer(id: number, message: unknown, tools: Tools): Promise<Reply> {
  const { counts, logger } = tools;
  const started = performance.now();
  let op: OrderOp | Question = 'unknown';
  const count = (outcome: OrderOutcome) => {
    if (!isQuestion(op)) counts.add(op, outcome, (performance.now() - started) / 1_000);
  };
  try {
    const request = Request.safeParse(message);
    if (!request.success) throw new Refusal('MalformedOrder');
    op = request.data.op;
    const result = await dispatch(request.data, tools);
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

const Named = z.looseObject({ order: z.looseObject({ orgId: z.string().max(64) }) });
/** Orders that do not name an organisation share one turn. */
const organisationOf = (message: unknown) => Named.safeParse(message).data?.order.orgId ?? '';
const opOf = (op: string): OrderOp => OrderOp.safeParse(op).data ?? 'unknown';

/**
 * Each organisation is served in its turn. `isHeld` returns true while this process owns the state folder. A process without
 * the folder does not know later signatures, and therefore sends no result of an order, not even a finished result.
 */
export async function startServer(
  place: SignerPlace,
  authKey: Buffer,
  operations: Operations,
  logger: Logger,
  isHeld = () => true,
) {
  const counts = createOrderCounts();
  const turns = createFairQueue();
  const tools = { place, operations, counts, turns, logger };
  const refuse = (id: number, op: string): Reply => {
    counts.add(opOf(op), 'Busy', 0);
    return { id, ok: false, code: 'Refused', reason: 'Busy', signedBefore: false };
  };
  const askedOf = async ({ envelope, message, bytes, isGone }: WireRequest): Promise<Reply | undefined> => {
    const { id, op, requestId } = envelope;
    const work = () => inContext(contextFrom({ requestId }), () => answer(id, message, tools));
    if (isQuestion(op)) return work();
    const inTurn = turns.take(organisationOf(message), bytes, async () => (isGone() ? undefined : work()));
    const reply = inTurn ? await inTurn : refuse(id, op);
    return isHeld() ? reply : { id, ok: false, code: 'Unavailable', reason: 'Fenced' };
  };
  const serveOne = (socket: Socket, onAuthentic: () => void) => serve(socket, { authKey, logger, answer: askedOf, onAuthentic });
  return openListener(place, serveOne, logger, { graceMs: SHUTDOWN_TIMEOUT_MS });
}
