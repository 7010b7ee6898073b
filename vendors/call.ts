import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { z } from 'zod';
import { INTEGRATION_KINDS, type IntegrationKind } from '../domain/integrations';
import { excerptOf, VendorError } from './failure';

const CALL_LIMIT_MS = 5_000;
const REPLY_BYTES_MAX = 256 * 1024;
/** The longest pause that a vendor can request. */
const RETRY_AFTER_MAX_MS = 60_000;

const VendorUrl = z
  .url({ protocol: /^https?$/ })
  .refine((url) => !/^\w+:\/\/[^/?#]*@/.test(url), 'must hold no user name and no password')
  .transform((url) => url.replace(/\/+$/, ''));

/** The address of each vendor, by kind of integration. Only the operator chooses the addresses; an organisation cannot. */
export const VendorUrls = z.partialRecord(z.enum(INTEGRATION_KINDS), VendorUrl);
export type VendorUrls = Readonly<Partial<Record<IntegrationKind, string>>>;

export type VendorAccess = { readonly baseUrl: string; readonly apiKey: string; readonly timeoutMs?: number };

type Call<S extends z.ZodType> = {
  readonly method: 'GET' | 'PUT' | 'POST';
  /** Begins with a slash. The caller has percent-encoded the parts of the path. */
  readonly path: string;
  readonly body?: unknown;
  readonly reply: S;
};
export type VendorReply<T> = { readonly status: number; readonly value: T };

/**
 * Follows no redirect and never retries: the caller decides about retries. Every fault of the vendor or of the connection is a
 * `VendorError`. A reply with a status in `also` is returned like a reply with a 2xx status.
 */
export async function callVendor<S extends z.ZodType>(
  { baseUrl, apiKey, timeoutMs = CALL_LIMIT_MS }: VendorAccess,
  { method, path, body, reply }: Call<S>,
  also: readonly number[] = [],
): Promise<VendorReply<z.output<S>>> {
  const { status, retryAfter, text } = await send({ url: `${baseUrl}${path}`, method, body, apiKey, timeoutMs });
  if ((status < 200 || status > 299) && !also.includes(status)) throw refusalOf(status, retryAfter);
  const read = reply.safeParse(jsonOf(text));
  if (read.success) return { status, value: read.data };
  throw new VendorError('Unreadable', 'the vendor sent a reply that cannot be read', {
    unreadableReply: excerptOf(text, [apiKey]),
  });
}

/** Returns undefined for text that is not JSON; the schema of the reply then refuses undefined. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function refusalOf(status: number, retryAfter: string | undefined): VendorError {
  if (status === 429)
    return new VendorError('RateLimited', 'the vendor received too many requests', { retryAfterMs: waitOf(retryAfter) });
  if (status === 401 || status === 403) return new VendorError('Refused', 'the vendor does not accept our credentials');
  return new VendorError('Failed', `the vendor answered with status ${status}`);
}

/** The `Retry-After` header is a number of seconds or a date. */
function waitOf(retryAfter: string | undefined): number | undefined {
  if (retryAfter === undefined) return undefined;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), RETRY_AFTER_MAX_MS);
}

type Sending = {
  readonly url: string;
  readonly method: string;
  readonly body: unknown;
  readonly apiKey: string;
  readonly timeoutMs: number;
};
type Heard = { readonly status: number; readonly retryAfter: string | undefined; readonly text: string };

function send({ url, method, body, apiKey, timeoutMs }: Sending): Promise<Heard> {
  const target = new URL(url);
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const limit = AbortSignal.timeout(timeoutMs);
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(error instanceof VendorError ? error : unreachable(error, limit));
    const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, {
      method,
      // Each call opens a new connection: a call on an idle connection fails if the vendor is just closing the connection.
      agent: false,
      signal: limit,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${apiKey}`,
        'user-agent': 'Strongroom',
        ...(bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.byteLength }),
      },
    });
    request.once('error', fail);
    request.once('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      textOf(response).then((text) => resolve({ status, retryAfter: headers['retry-after'], text }), fail);
    });
    request.end(bytes);
  });
}

function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > REPLY_BYTES_MAX) response.destroy(new VendorError('Unreadable', 'the reply of the vendor is too long'));
    });
    response.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    response.once('error', reject);
  });
}

/** The error's message may contain addresses and certificates, so only the error's code is kept. */
function unreachable(error: Error & { readonly code?: unknown }, limit: AbortSignal): VendorError {
  if (limit.aborted) return new VendorError('TimedOut', 'the vendor did not answer in time');
  const why = typeof error.code === 'string' ? ` (${error.code})` : '';
  return new VendorError('Unreachable', `the vendor cannot be reached${why}`);
}
