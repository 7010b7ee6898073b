import { createPrivateKey, sign } from 'node:crypto';
import { Agent, request } from 'node:http';
import { z } from 'zod';
import { closedLoop } from './closed-loop';
import { serveParent } from './program';
import type { SignerUser } from './signer-user';

export type WriteOrder = {
  readonly origin: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  readonly body: string;
  readonly count: number;
  readonly connections: number;
  /** The user who signs every request. Without a user, the process sends the requests without user actions. */
  readonly user?: SignerUser;
};
/** `latenciesMs` covers each whole write, and `postMs` the last request of each write. */
export type WriteAnswer = {
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
  readonly postMs: readonly number[];
};

const Announced = z.object({ challenge: z.string(), challengeIdentifier: z.string() });
const Signed = z.object({ userAction: z.string() });

/** Connections stay open between orders, like the connections of a busy customer. */
const agents = new Map<string, Agent>();

serveParent(async ({ origin, headers, path, body, count, connections, user }: WriteOrder): Promise<WriteAnswer> => {
  const agent = agents.get(origin) ?? new Agent({ keepAlive: true, maxSockets: connections });
  agents.set(origin, agent);
  const key = user && createPrivateKey(user.privateKeyPem);
  const postMs: number[] = [];

  const post = (to: string, text: string, more: Readonly<Record<string, string>> = {}) =>
    new Promise<unknown>((resolve, reject) => {
      const sent = { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...more };
      const outgoing = request(`${origin}${to}`, { agent, method: 'POST', headers: sent }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const answer = Buffer.concat(chunks).toString();
          if (response.statusCode === 200) resolve(JSON.parse(answer));
          else reject(new Error(`${origin}${to} answered ${response.statusCode}: ${answer}`));
        });
      });
      outgoing.on('error', reject).end(text);
    });
  const actionFor = async ({ credId }: SignerUser): Promise<string> => {
    const announced = { userActionHttpMethod: 'POST', userActionHttpPath: path, userActionPayload: body };
    const { challenge, challengeIdentifier } = Announced.parse(await post('/auth/action/init', JSON.stringify(announced)));
    const data = Buffer.from(JSON.stringify({ type: 'key.get', challenge }));
    const signature = key ? sign(null, data, key).toString('base64url') : '';
    const credentialAssertion = { credId, clientData: data.toString('base64url'), signature };
    const signed = { challengeIdentifier, firstFactor: { kind: 'Key', credentialAssertion } };
    return Signed.parse(await post('/auth/action', JSON.stringify(signed))).userAction;
  };
  const loop = await closedLoop(count, connections, async () => {
    const action = user === undefined ? {} : { 'x-svc-useraction': await actionFor(user) };
    const from = performance.now();
    await post(path, body, action);
    postMs.push(performance.now() - from);
  });
  return { ...loop, postMs };
});
