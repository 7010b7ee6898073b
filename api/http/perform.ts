import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { authenticate, unauthorized } from '../../application/access-tokens/tokens';
import { enterRefusal } from '../../application/audit-logs/refusals';
import type { Services } from '../../application/services';
import type { VerifiedAction } from '../../application/user-actions/act';
import {
  type Arrived,
  actionInvalid,
  type SentAction,
  sentAction,
  verifyAction,
} from '../../application/user-actions/user-actions';
import type { Caller } from '../../domain/callers';
import { invariant } from '../../domain/errors';
import { isId } from '../../domain/ids';
import { sha256Hex } from '../../platform/digests';
import type { TokenClaims } from '../../platform/token-keys';
import { Accepted, type Answer, TextAnswer, Warned } from './answer';
import type { AuthServices } from './auth-services';
import { FILE_BODY_BYTES_MAX, parseBody, parseJson, readBody } from './body';
import { commitmentOf } from './commitments';
import { deprecationOf } from './deprecation';
import { type MultipartForm, parseForm } from './form';
import { assertOpen } from './frozen';
import { invalidRequest, parseInput } from './input';
import type { Operation, Streaming, TokenOperation } from './operation';
import { assertAllowed, assertMayCall } from './permissions';

export type Matched = {
  readonly request: IncomingMessage;
  /** Percent-encoded as sent, without the query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Whether the caller prefers JSON to another media type. */
  readonly prefersJson: (type: string) => boolean;
};

/** An exception from one of these functions ends the request. */
export type Watchers = {
  /** Runs as soon as the caller is known, before permissions are checked and the body is read. */
  readonly onCaller: (caller: Caller) => void;
  /** Runs with the body of an unauthenticated request, before the request takes effect. */
  readonly onStranger: (body: unknown) => Promise<void>;
};

export async function perform(
  operation: Operation,
  services: Services & AuthServices,
  matched: Matched,
  { onCaller, onStranger }: Watchers,
): Promise<Answer> {
  if (operation.access === undefined) return performKnown(operation, services, matched, onCaller);
  const ceremony = operation.access === 'Temporary' ? await ceremonyOf(services, matched.request) : undefined;
  const { params, query } = addressOf(operation, matched);
  const bytes = operation.method === 'get' ? Buffer.alloc(0) : await readBody(matched.request);
  const input = { params, query, body: bodyOf(operation, bytes, matched.request) };
  await onStranger(input.body);
  await assertOpen(operation, services.freeze);
  if (operation.access === 'Public') {
    const sent = { bytes, headers: matched.request.headers };
    return answerOf(operation, await operation.handle({ ...input, sent }, services), input.body);
  }
  invariant(ceremony, 'a temporary token was verified');
  return answerOf(operation, await operation.handle({ ...input, ceremony }, services), input.body);
}

async function ceremonyOf({ tokens }: AuthServices, request: IncomingMessage): Promise<TokenClaims> {
  const claims = await tokens.verify('temporary', bearerOf(request));
  if (!claims || !isId('organization', claims.orgId)) throw unauthorized();
  return claims;
}

function answerOf(operation: Operation, result: unknown, request: unknown): Answer {
  const headers = deprecationOf(operation, request);
  if (result instanceof TextAnswer) {
    return { status: 200, type: result.type, text: result.text, headers: { ...headers, ...result.headers } };
  }
  if (result instanceof Warned) {
    const answer = answerOf(operation, result.body, request);
    return { ...answer, headers: { ...answer.headers, 'strongroom-warning': result.warning } };
  }
  const accepted = result instanceof Accepted;
  invariant(!accepted || operation.accepted, `${operation.id} declares what a waiting change looks like`);
  const body = accepted ? operation.accepted?.parse(result.changeRequest) : operation.response.parse(result);
  return { status: accepted ? 202 : 200, type: 'application/json', text: JSON.stringify(body ?? {}), headers };
}

/**
 * Checks token, kind of caller, permission, freeze, user action, fields and further permissions, in this order. The user action
 * is bound to the exact bytes of the body. The action is checked before the body is parsed, and before a fault in path or query
 * is reported. So a caller without a user action learns nothing about the fields. A failed check leaves the user action unused.
 * If a request with a user action is refused, the audit log records the refusal.
 */
async function performKnown(
  operation: TokenOperation,
  services: Services & AuthServices,
  matched: Matched,
  onCaller: (caller: Caller) => void,
): Promise<Answer> {
  const { request, path } = matched;
  const address = attempt(() => addressOf(operation, matched));
  const token = operation.userAction ? request.headers['x-svc-useraction'] : undefined;
  const claims = typeof token === 'string' ? await services.tokens.verify('userAction', token) : undefined;
  let ahead: Promise<unknown> | undefined;
  let sent: ReturnType<typeof sentAction> | undefined;
  const caller = await authenticate(services.db, services.tokens, bearerOf(request), (reader) => {
    if (address.ok) ahead = operation.ahead?.(reader, address.value);
    // If the caller is refused, nothing awaits `ahead`, and a failure of `ahead` would be unhandled.
    ahead?.catch(() => undefined);
    if (claims) sent = sentAction(reader, claims, operation.id);
    sent?.catch(() => undefined);
  });
  onCaller(caller);
  const progress: Progress = { bytes: undefined, action: undefined };
  try {
    return await performFor(operation, services, matched, { caller, address, claims, sent, ahead }, progress);
  } catch (error) {
    const isSigned = operation.userAction ? token !== undefined : operation.takesSignature === true;
    if (isSigned && progress.action?.consumed !== true) {
      const { bytes } = progress;
      // The body of an operation that takes a signature may contain a password, so the audit log does not contain a digest of
      // this body.
      const bodySha256 = bytes === undefined || !operation.userAction ? null : sha256Hex(bytes);
      const refused = { method: operation.method.toUpperCase(), path, bodySha256, userActionId: claims?.id ?? null };
      await enterRefusal(services.db, caller, refused, error);
    }
    throw error;
  }
}

type Authenticated = {
  readonly caller: Caller;
  readonly address: Attempted<ReturnType<typeof addressOf>>;
  readonly claims: TokenClaims | undefined;
  readonly sent: ReturnType<typeof sentAction> | undefined;
  readonly ahead: Promise<unknown> | undefined;
};
/** The steps that a refused request had passed before its refusal. */
type Progress = { bytes: Buffer | undefined; action: VerifiedAction | undefined };

async function performFor(
  operation: TokenOperation,
  services: Services & AuthServices,
  { request, path, params, prefersJson }: Matched,
  { caller, address, claims, sent, ahead }: Authenticated,
  progress: Progress,
): Promise<Answer> {
  assertMayCall(operation, caller);
  await assertOpen(operation, services.freeze);

  const { data: bytes, file } = await receive(operation, request);
  progress.bytes = bytes;
  const arrived = { method: operation.method.toUpperCase(), path, bytes };
  const action = operation.userAction
    ? await actionOf(operation, services, caller, { claims, ...((await sent) ?? NOT_SENT) }, arrived, params)
    : undefined;
  progress.action = action;

  if (!address.ok) throw address.error;
  const input = {
    ...address.value,
    body: file === undefined ? bodyOf(operation, bytes, request) : boundBodyOf(operation, bytes, file),
    authority: { caller, action },
    ahead: await ahead,
    file,
    prefersJson: operation.media === undefined || prefersJson(operation.media),
  };
  for (const permission of operation.furtherPermissions?.(input.body) ?? []) assertAllowed(caller, permission, operation.id);

  const result = isStream(operation, request)
    ? await operation.stream({ ...input, ...streamingOf(operation, services, request) }, services)
    : await operation.handle(input, services);
  invariant(!action || action.consumed, `${operation.id} did not consume its user action`);
  const answer = answerOf(operation, result, input.body);
  const warnings = action?.warnings ?? [];
  if (warnings.length === 0) return answer;
  return { ...answer, headers: { ...answer.headers, 'strongroom-warning': warnings.join(', ') } };
}

type Streamed = TokenOperation & Required<Pick<TokenOperation, 'stream'>>;
const isStream = (operation: TokenOperation, { headers }: IncomingMessage): operation is Streamed =>
  operation.stream !== undefined && /^\s*text\/event-stream\s*(;[^,]*)?$/i.test(headers.accept ?? '');

function streamingOf(operation: TokenOperation, { db, tokens }: Services & AuthServices, request: IncomingMessage): Streaming {
  const id = request.headers['last-event-id'];
  return {
    lastEventId: typeof id === 'string' ? id : undefined,
    mayGoOn: async () => {
      try {
        assertMayCall(operation, await authenticate(db, tokens, bearerOf(request)));
        return true;
      } catch {
        return false;
      }
    },
  };
}

const NOT_SENT = { action: undefined, seenOrigins: undefined };

/** The part of the body that a user action covers, and the file if the operation accepts a file. */
async function receive(
  { method, file }: TokenOperation,
  request: IncomingMessage,
): Promise<Partial<MultipartForm> & Pick<MultipartForm, 'data'>> {
  if (method === 'get') return { data: Buffer.alloc(0) };
  if (!file) return { data: await readBody(request) };
  return parseForm(await readBody(request, FILE_BODY_BYTES_MAX), request.headers['content-type']);
}

/** Parses the text, which must contain the file's SHA-256. A signature over the text therefore also covers the file. */
function boundBodyOf({ body: schema }: TokenOperation, data: Buffer, file: Buffer): unknown {
  const body = parseInput('body', schema, parseJson(data));
  const bound = typeof body === 'object' && body !== null && 'fileChecksum' in body ? body.fileChecksum : undefined;
  if (bound !== sha256Hex(file)) {
    throw invalidRequest([{ path: 'body.fileChecksum', message: 'must be the SHA-256 of the file in lower-case hex' }]);
  }
  return body;
}

function addressOf(operation: Operation, { params, query }: Matched) {
  return {
    params: parseInput('params', operation.params, params),
    query: parseInput('query', strict(operation.query), query),
  };
}

function bearerOf({ headers }: IncomingMessage): string {
  const [, token] = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) throw unauthorized();
  return token;
}

async function actionOf(
  operation: TokenOperation,
  { db }: Services,
  caller: Caller,
  sent: SentAction,
  arrived: Arrived,
  params: Matched['params'],
): Promise<VerifiedAction> {
  const { approvalDigest, ...action } = verifyAction(caller, sent, arrived);
  // The approval must still have the digest that the caller signed, because the caller has seen only that content (S2).
  const now = operation.commitment && (await commitmentOf(operation, db.read(caller.orgId), params, arrived.bytes));
  if ((now?.digest ?? null) !== approvalDigest) throw actionInvalid();
  return action;
}

/** A missing body is treated as `{}` unless the schema accepts a missing body. */
function bodyOf(operation: Operation, bytes: Buffer, request: IncomingMessage): unknown {
  const value = parseBody(bytes, request.headers);
  if (value === undefined && !operation.body.safeParse(undefined).success) return parseInput('body', operation.body, {});
  return parseInput('body', operation.body, value);
}

type Attempted<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/** Returns the result or the exception of `work`. Only callers with access may see a fault of a field. */
function attempt<T>(work: () => T): Attempted<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
}

/**
 * Strict schemas are kept, because zod compiles a new schema at its first use. The compilation takes longer than the rest of a
 * GET request.
 */
const stricts = new WeakMap<z.ZodType, z.ZodType>();

/** Makes the schema refuse unknown members. A mistyped filter in a query would otherwise return everything. */
function strict(schema: z.ZodType): z.ZodType {
  const made = stricts.get(schema) ?? (schema instanceof z.ZodObject ? schema.strict() : schema);
  stricts.set(schema, made);
  return made;
}
