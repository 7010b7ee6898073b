import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CodecGate } from './codec-gate';

/**
 * Browsers send the cookie only to this host, only over TLS or on loopback, and never with a request from another site. No
 * script can read the cookie.
 */
const COOKIE = '__Host-strongroom-codec';
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Strict';
const TOKEN = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

const page = (message: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Strongroom payloads</title></head>
<body>
<h1>Payloads in Temporal</h1>
<p>${message}</p>
<form method="post" action="/login" autocomplete="off">
<label>Token <input type="password" name="token" required></label>
<button>Sign in</button>
</form>
<form method="post" action="/logout"><button>Sign out</button></form>
</body>
</html>
`;

const MESSAGES = {
  asked: 'Sign in with one of your tokens. Every access is recorded.',
  in: 'You are signed in. In the settings of the Temporal UI, enable credentials for the codec server.',
  out: 'You are signed out.',
  refused: 'This token may not decrypt payloads.',
} as const;

/** A program sends the token in the `Authorization` header; the Temporal UI sends the token in the cookie. */
export function tokenOf({ headers }: IncomingMessage): string | undefined {
  const [, bearer] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const [, cookie] = new RegExp(`(?:^|;\\s*)${COOKIE}=([^;\\s]+)`).exec(headers.cookie ?? '') ?? [];
  const token = bearer ?? cookie;
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** A login stores the token in a cookie that ends with the browser session. */
export async function serveLogin(
  gate: CodecGate,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: Buffer },
  response: ServerResponse,
): Promise<void> {
  if (method !== 'POST') return show(response, 200, 'asked');
  if (path === '/logout') {
    response.setHeader('set-cookie', `${COOKIE}=; Max-Age=0; ${ATTRIBUTES}`);
    return show(response, 200, 'out');
  }
  const token = new URLSearchParams(body.toString('utf8')).get('token')?.trim() ?? '';
  if (!TOKEN.test(token) || !(await gate.operatorOf(token))) return show(response, 403, 'refused');
  response.setHeader('set-cookie', `${COOKIE}=${token}; ${ATTRIBUTES}`);
  show(response, 200, 'in');
}

function show(response: ServerResponse, status: number, message: keyof typeof MESSAGES): void {
  response.setHeader(
    'content-security-policy',
    "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  );
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.writeHead(status).end(page(MESSAGES[message]));
}
