import { z } from 'zod';
import { AppError } from '../../domain/errors';
import { inSpan } from '../../platform/spans';
import { postJson, StatusError } from './post-json';

const REQUEST_TIMEOUT_MS = 10_000;
/** A full block of transaction hashes stays far below; a node that sends more is not read to the end. */
const REPLY_BYTES_MAX = 8 * 1024 * 1024;
const MESSAGE_CHARS_MAX = 300;
/** Codes by which a node speaks of itself and not of the question: too many requests, internal fault, still starting. */
const NODE_TROUBLE_CODES: ReadonlySet<number> = new Set([-32005, -32603, -28]);

const Reply = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).nullish(),
});

/** A node understood the question and answered that it cannot be done. The message is the node's own. */
export class RpcError extends Error {
  constructor(
    readonly rpcCode: number,
    message: string,
  ) {
    super(message.slice(0, MESSAGE_CHARS_MAX));
    this.name = 'RpcError';
  }
}

/** Throws `RpcError` for a node's refusal and `NetworkUnavailable` when no node gave a readable answer. */
export type Rpc = <T>(method: string, params: readonly unknown[], result: z.ZodType<T>) => Promise<T>;

/** JSON-RPC 1.0, as bitcoind before 28 and what descends from it speak: a refusal has a status of its own, and a result that is null. */
const OldRefusal = z.object({ result: z.null(), error: z.object({ code: z.number(), message: z.string() }) });

async function ask(url: string, body: string, timeoutMs: number) {
  try {
    return Reply.parse(JSON.parse(await postJson(url, body, { timeoutMs, replyBytesMax: REPLY_BYTES_MAX })));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const refusal = OldRefusal.safeParse(jsonOrUndefined(error.text));
    if (refusal.success) return refusal.data;
    throw error;
  }
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Asks the nodes in order, beginning with the one that answered last, until one gives a readable answer. */
export function createRpc(network: string, urls: readonly string[], timeoutMs = REQUEST_TIMEOUT_MS): Rpc {
  let preferred = 0;
  let lastId = 0;

  const askAll: Rpc = async (method, params, result) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params });
    let trouble: unknown;
    for (let offset = 0; offset < urls.length; offset += 1) {
      const index = (preferred + offset) % urls.length;
      const url = urls[index];
      if (url === undefined) break;
      try {
        const reply = await ask(url, body, timeoutMs);
        if (reply.error && NODE_TROUBLE_CODES.has(reply.error.code))
          throw new Error(`code ${reply.error.code}: ${reply.error.message}`);
        if (reply.error) throw new RpcError(reply.error.code, reply.error.message);
        const value = result.parse(reply.result);
        preferred = index;
        return value;
      } catch (error) {
        if (error instanceof RpcError) throw error;
        trouble = error;
      }
    }
    // The address of a node often carries an account's secret, so neither message nor details name it.
    throw new AppError('NetworkUnavailable', `No node of ${network} answered ${method}`, { network, method }, trouble);
  };

  return (method, params, result) => {
    const attributes = { 'strongroom.network': network, 'strongroom.rpc.method': method };
    return inSpan({ name: `rpc ${method}`, kind: 'client', attributes }, () => askAll(method, params, result));
  };
}

const HEX_QUANTITY = /^0x[0-9a-f]{1,64}$/i;
export const Quantity = z.string().regex(HEX_QUANTITY).transform(BigInt);
export const SmallQuantity = Quantity.transform(Number).pipe(z.int());
export const Hash = z.string().regex(/^0x[0-9a-f]{64}$/);
export const Data = z.string().regex(/^0x(?:[0-9a-f]{2})*$/i);
export const quantityOf = (value: bigint | number) => `0x${value.toString(16)}`;
