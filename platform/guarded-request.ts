import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { guardedLookup, RefusedError, refusalOf } from './guarded-fetch';

/** A request to an address that an administrator chose. */
export type GuardedRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
};

export type Bounds = {
  /** Origins that the operator has named. Only these origins may use plain http and private addresses. */
  readonly internalOrigins: readonly string[];
  /** The limit from the first step to the end of the response. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
};

/** The reason why the text of the URL is refused; undefined if it is allowed. */
export function targetRefusal(url: URL, { internalOrigins }: Pick<Bounds, 'internalOrigins'>): string | undefined {
  const internal = internalOrigins.includes(url.origin) && url.username === '' && url.password === '';
  return internal ? undefined : refusalOf(url, { allowLoopback: false });
}

/**
 * Calls an address under the rules of `guarded-fetch.ts`. Redirects are returned and not followed. Rejects if the address may
 * not be called, if the connection fails, or if the response is late, too long or invalid.
 */
export function requestGuarded({ url, method, headers, body }: GuardedRequest, bounds: Bounds): Promise<Response> {
  const target = new URL(url);
  const refusal = targetRefusal(target, bounds);
  if (refusal !== undefined) return Promise.reject(new RefusedError(refusal));
  const internal = bounds.internalOrigins.includes(target.origin);
  const send = target.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const request = send(target, {
      method,
      headers: { ...headers, ...length },
      agent: false,
      rejectUnauthorized: true,
      signal: AbortSignal.timeout(bounds.timeoutMs),
      ...(internal ? {} : { lookup: guardedLookup(false) }),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      let seenBytes = 0;
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        seenBytes += chunk.byteLength;
        if (seenBytes > bounds.answerBytesMax) request.destroy(new Error('the answer is too long'));
        else chunks.push(chunk);
      });
      response.on('end', () => {
        const { statusCode: status = 0, headers: answered } = response;
        const type = answered['content-type'];
        try {
          // Some statuses, such as 204, allow no body, not even an empty one.
          const content = chunks.length === 0 ? null : Buffer.concat(chunks);
          resolve(new Response(content, { status, headers: type === undefined ? {} : { 'content-type': type } }));
        } catch (error) {
          // The status does not allow this body or is invalid. An error that leaves this listener would end the process.
          reject(error);
        }
      });
    });
    request.end(body);
  });
}
