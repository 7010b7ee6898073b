import { type KeyObject, sign } from 'node:crypto';

/**
 * A client that knows only the published interface, and nothing else of this project. The client announces, signs, exchanges
 * and calls. A customer's client cannot do more than this client.
 */
export type Answer = { readonly status: number; readonly headers: Headers; readonly body: never };
export type Identity = { readonly token: string; readonly credId: string; readonly privateKey: KeyObject };

type Send = { readonly method: string; readonly path: string; readonly text?: string; readonly headers?: Record<string, string> };

/** Receives each answer. A run that records examples sets this function. */
type OnAnswer = (sent: { readonly method: string; readonly path: string }, answer: Answer) => void;

export class Client {
  static onAnswer: OnAnswer | undefined;

  constructor(
    readonly baseUrl: string,
    readonly identity: Identity,
  ) {}

  async send({ method, path, text, headers }: Send): Promise<Answer> {
    const content = text === undefined ? {} : { body: text, headers: { 'content-type': 'application/json' } };
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      ...content,
      redirect: 'manual',
      headers: { authorization: `Bearer ${this.identity.token}`, ...content.headers, ...headers },
    });
    const raw = await response.text();
    const body = (raw === '' ? undefined : JSON.parse(raw)) as never;
    const answer = { status: response.status, headers: response.headers, body };
    Client.onAnswer?.({ method, path }, answer);
    return answer;
  }

  get(path: string): Promise<Answer> {
    return this.send({ method: 'GET', path });
  }

  /** A call that needs no user action. */
  post(path: string, body: unknown): Promise<Answer> {
    return this.send({ method: 'POST', path, text: JSON.stringify(body) });
  }

  /** Asks for the challenge of a request. `text` is the exact body, and is empty for a request without a body. */
  announce(method: string, path: string, text: string): Promise<Answer> {
    return this.post('/auth/action/init', {
      userActionHttpMethod: method,
      userActionHttpPath: new URL(path, this.baseUrl).pathname,
      userActionPayload: text,
      userActionServerKind: 'Api',
    });
  }

  /** Signs a challenge as the first factor. An Ed25519 signature is raw; any other signature is DER over SHA-256. */
  factor(challenge: string, clientData: Record<string, unknown> = {}): Record<string, unknown> {
    const data = Buffer.from(JSON.stringify({ type: 'key.get', challenge, ...clientData }), 'utf8');
    const { privateKey, credId } = this.identity;
    const signature = sign(privateKey.asymmetricKeyType === 'ed25519' ? null : 'sha256', data, privateKey);
    const assertion = { credId, clientData: data.toString('base64url'), signature: signature.toString('base64url') };
    return { kind: 'Key', credentialAssertion: assertion };
  }

  /** Gets the user action token for a request. */
  async userAction(method: string, path: string, text: string, clientData?: Record<string, unknown>): Promise<string> {
    const init = await this.announce(method, path, text);
    const { challenge, challengeIdentifier } = init.body as { challenge: string; challengeIdentifier: string };
    if (init.status !== 200) throw new Error(`init returned ${init.status}: ${JSON.stringify(init.body)}`);
    const signed = await this.post('/auth/action', { challengeIdentifier, firstFactor: this.factor(challenge, clientData) });
    if (signed.status !== 200) throw new Error(`action returned ${signed.status}: ${JSON.stringify(signed.body)}`);
    return (signed.body as { userAction: string }).userAction;
  }

  /** Sends a change with its user action. A DELETE without a body carries `{}`, as in the published client. */
  async change(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    clientData?: Record<string, unknown>,
  ): Promise<Answer> {
    const sent = body === undefined && method === 'DELETE' ? {} : body;
    const text = sent === undefined ? undefined : JSON.stringify(sent);
    const userAction = await this.userAction(method, path, text ?? '', clientData);
    return this.send({ method, path, ...(text === undefined ? {} : { text }), headers: { 'x-svc-useraction': userAction } });
  }
}
