import dns from 'node:dns';
import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopbackAddress, isPublicAddress } from './public-addresses';

export type TargetRules = {
  /** True only in a local trial installation. Requests may then go to loopback addresses, and may use http. */
  readonly allowLoopback: boolean;
};

export type PostOutcome = { readonly httpStatus: number } | { readonly code: PostFailure; readonly message: string };
export type PostFailure = 'TargetRefused' | 'TimedOut' | 'HostNotFound' | 'CertificateInvalid' | 'ConnectionFailed';

type Post = TargetRules & {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The limit from the first step to the end of the response. */
  readonly timeoutMs: number;
};

const ANSWER_BYTES_MAX = 64 * 1_024;
const KEPT_PER_RECEIVER_MAX = 16;
/** Shorter than the five seconds after which common servers close an idle connection. */
const KEPT_IDLE_MS = 4_000;

export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/**
 * The reason why the text of the URL is refused; undefined if it is allowed. `guardedLookup` checks the addresses of a host name.
 */
export function refusalOf(url: URL, { allowLoopback }: TargetRules): string | undefined {
  const secure = url.protocol === 'https:';
  if (!secure && !(allowLoopback && url.protocol === 'http:')) return 'only https is allowed';
  if (url.username !== '' || url.password !== '') return 'user name and password are not allowed in the address';
  const host = hostOf(url);
  return isIP(host) === 0 ? undefined : refusalOfAddress(host, allowLoopback);
}

/**
 * Sends one POST to an address that a customer chose. The connection checks the address in its own DNS lookup, so that a second
 * DNS answer cannot lead to another address. Redirects are returned as ordinary responses. A failure of the request is returned
 * and not thrown.
 */
export function post({ url, headers, body, timeoutMs, allowLoopback }: Post): Promise<PostOutcome> {
  const target = new URL(url);
  const refusal = refusalOf(target, { allowLoopback });
  if (refusal !== undefined) return Promise.resolve({ code: 'TargetRefused', message: refusal });

  return new Promise((settle) => {
    let answered: number | undefined;
    let request: ClientRequest;
    let over = false;
    const finish = (outcome: PostOutcome): void => {
      over = true;
      clearTimeout(timer);
      settle(outcome);
    };
    const breakOff = (outcome: PostOutcome): void => {
      finish(outcome);
      request.destroy();
    };
    const timer = setTimeout(() => {
      const silent = { code: 'TimedOut', message: `no answer within ${timeoutMs} ms` } as const;
      breakOff(answered === undefined ? silent : { httpStatus: answered });
    }, timeoutMs);
    const attempt = (agent: Agent | false): void => {
      const send = target.protocol === 'https:' ? requestHttps : requestHttp;
      const own = send(target, {
        method: 'POST',
        headers: { ...headers, 'content-length': String(body.byteLength) },
        lookup: guardedLookup(allowLoopback),
        agent,
        rejectUnauthorized: true,
      });
      request = own;
      own.on('error', (error) => {
        if (over) return;
        if (answered !== undefined) finish({ httpStatus: answered });
        // The receiver may have closed the idle connection just before this request. That is not a failure of the receiver, so
        // the request is sent again over a new connection.
        else if (own.reusedSocket && agent !== false) attempt(false);
        else finish(failureOf(error));
      });
      own.on('response', (response) => {
        const httpStatus = response.statusCode ?? 0;
        answered = httpStatus;
        drain(response, { read: () => finish({ httpStatus }), tooLong: () => breakOff({ httpStatus }) });
      });
      own.end(body);
    };
    attempt(keptConnections(target.protocol, allowLoopback));
  });
}

const agents = new Map<string, Agent>();

/**
 * Keeps connections open for bursts of requests to one receiver. Callers that may reach loopback have their own agent, because
 * no other caller may reuse a connection to loopback.
 */
function keptConnections(protocol: string, allowLoopback: boolean): Agent {
  const key = `${protocol}${allowLoopback}`;
  const options = { keepAlive: true, maxFreeSockets: KEPT_PER_RECEIVER_MAX, timeout: KEPT_IDLE_MS };
  const agent = agents.get(key) ?? (protocol === 'https:' ? new HttpsAgent(options) : new Agent(options));
  agents.set(key, agent);
  return agent;
}

/** Reads the response to its end, or up to `ANSWER_BYTES_MAX`, because some receivers otherwise report a broken connection. */
function drain(response: IncomingMessage, { read, tooLong }: { readonly read: () => void; readonly tooLong: () => void }): void {
  let seenBytes = 0;
  response.on('data', (chunk: Buffer) => {
    seenBytes += chunk.byteLength;
    if (seenBytes > ANSWER_BYTES_MAX) tooLong();
  });
  response.on('end', read);
  response.on('error', read);
}

/**
 * Refuses a name unless every address of the name may be called. The connection uses these addresses and does not resolve the
 * name again.
 */
export function guardedLookup(allowLoopback: boolean): LookupFunction {
  return (hostname, options, callback) => {
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      // A single forbidden address is enough to refuse the name, because Node.js chooses among the addresses.
      for (const { address } of addresses) {
        const refusal = refusalOfAddress(address, allowLoopback);
        if (refusal !== undefined) return callback(new RefusedError(refusal), []);
      }
      const [first] = addresses;
      if (options.all || !first) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

function refusalOfAddress(address: string, allowLoopback: boolean): string | undefined {
  if (isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address))) return undefined;
  return 'the address is not a public one';
}

/** Removes the brackets around a literal IPv6 address. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1');

const CODES: Readonly<Record<string, PostFailure>> = { ENOTFOUND: 'HostNotFound', EAI_AGAIN: 'HostNotFound' };

function failureOf(error: Error & { readonly code?: unknown }): PostOutcome {
  if (error instanceof RefusedError) return { code: 'TargetRefused', message: error.message };
  const code = typeof error.code === 'string' ? error.code : 'unknown';
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code))
    return { code: 'CertificateInvalid', message: `the TLS certificate is not valid (${code})` };
  return { code: CODES[code] ?? 'ConnectionFailed', message: `the connection failed (${code})` };
}
