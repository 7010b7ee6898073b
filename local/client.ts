import { createPrivateKey, sign } from 'node:crypto';
import { z } from 'zod';

/** `first-run.json` contains an identity for each user. */
export type Identity = { readonly token: string; readonly credId: string; readonly privateKeyPem: string };

/** `details` lists the faults by field. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: unknown,
  ) {
    super(message);
  }
}

export type Client = {
  readonly get: <S extends z.ZodType>(path: string, answer: S) => Promise<z.output<S>>;
  /** Announces the change as a user action, signs its challenge, and sends the change with the token of the user action. */
  readonly change: <S extends z.ZodType>(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    body: unknown,
    answer: S,
  ) => Promise<z.output<S>>;
  /** Sends the parts `data` and `file`. The user action signs `data`, which must contain the checksum of the file. */
  readonly submit: <S extends z.ZodType>(path: string, data: unknown, file: string, answer: S) => Promise<z.output<S>>;
};

const REQUEST_TIMEOUT_MS = 60_000;
const ErrorBody = z.object({ error: z.object({ id: z.string(), message: z.string(), details: z.unknown().optional() }) });
const Challenge = z.object({ challenge: z.string(), challengeIdentifier: z.string() });
const Action = z.object({ userAction: z.string() });

/** Uses only the published interface and imports nothing from this project, so you can copy this client. */
export function createClient(baseUrl: string, { token, credId, privateKeyPem }: Identity): Client {
  const privateKey = createPrivateKey(privateKeyPem);

  const send = async (method: string, path: string, body?: string | FormData, headers: Record<string, string> = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${token}`,
        ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer;
    const { id, message, details } = ErrorBody.parse(answer).error;
    throw new ApiError(response.status, id, message, details);
  };

  /** Returns a token that allows one request with exactly this method, path and body. */
  const userAction = async (method: string, path: string, text: string): Promise<string> => {
    const announced = {
      userActionHttpMethod: method,
      userActionHttpPath: new URL(path, baseUrl).pathname,
      userActionPayload: text,
      userActionServerKind: 'Api',
    };
    const init = await send('POST', '/auth/action/init', JSON.stringify(announced));
    const { challenge, challengeIdentifier } = Challenge.parse(init);
    const clientData = Buffer.from(JSON.stringify({ type: 'key.get', challenge }));
    const credentialAssertion = {
      credId,
      clientData: clientData.toString('base64url'),
      signature: sign(null, clientData, privateKey).toString('base64url'),
    };
    const signed = { challengeIdentifier, firstFactor: { kind: 'Key', credentialAssertion } };
    return Action.parse(await send('POST', '/auth/action', JSON.stringify(signed))).userAction;
  };

  return {
    get: async (path, answer) => answer.parse(await send('GET', path)),
    change: async (method, path, body, answer) => {
      const text = JSON.stringify(body);
      return answer.parse(await send(method, path, text, { 'x-svc-useraction': await userAction(method, path, text) }));
    },
    submit: async (path, data, file, answer) => {
      const text = JSON.stringify(data);
      const form = new FormData();
      form.append('data', text);
      form.append('file', new Blob([file]), 'output-file.json');
      return answer.parse(await send('POST', path, form, { 'x-svc-useraction': await userAction('POST', path, text) }));
    },
  };
}
