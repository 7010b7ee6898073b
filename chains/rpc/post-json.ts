import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

/** A reply with a status outside 200 to 299. A redirect is also an error. */
export class StatusError extends Error {
  constructor(
    status: number,
    readonly text: string,
  ) {
    super(`status ${status}`);
  }
}

type Options = { readonly timeoutMs: number; readonly replyBytesMax: number };

/** Nodes keep idle connections open for longer than this, so no request uses a connection that a node is closing. */
const REST_MS = 4_000;
const agents = {
  'http:': new HttpAgent({ keepAlive: true, timeout: REST_MS }),
  'https:': new HttpsAgent({ keepAlive: true, timeout: REST_MS }),
};

/**
 * Throws a `StatusError` for any status outside 200 to 299. The HTTP client of Node.js takes a third of the CPU time of
 * `fetch`, and a transfer makes about ten requests.
 */
export function postJson(url: string, body: string, { timeoutMs, replyBytesMax }: Options): Promise<string> {
  const target = new URL(url);
  const isSecure = target.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)(target, {
      method: 'POST',
      agent: isSecure ? agents['https:'] : agents['http:'],
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    const timer = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    request.once('close', () => clearTimeout(timer));
    request.once('error', reject);
    request.once('response', (response) => {
      readText(response, replyBytesMax).then((text) => {
        const status = response.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(text);
        else reject(new StatusError(status, text));
      }, reject);
    });
    request.end(body);
  });
}

function readText(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > bytesMax) response.destroy(new Error('the reply is too large'));
    });
    response.once('end', () => resolve(Buffer.concat(chunks).toString('utf8')));
    response.once('error', reject);
  });
}
