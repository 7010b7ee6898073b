import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { VerifiedAction } from '../../application/authority';
import type { Services } from '../../application/services';
import { authenticate, unauthorized } from '../../application/tokens';
import { actionInvalid, sha256Hex, verifyAction } from '../../application/user-actions';
import type { Caller } from '../../domain/callers';
import { invariant } from '../../domain/errors';
import type { AuthServices } from './auth-services';
import { parseBody, readBody } from './body';
import { parseInput } from './input';
import type { Operation } from './operation';
import { assertAllowed, assertMayCall } from './permissions';

/** A request that was matched with an operation. */
export type Matched = {
  readonly request: IncomingMessage;
  /** As sent, percent-encoded, without query. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[] | undefined>>;
};

/**
 * Carries out one request, checks in this order: token, kind of caller, permission, user action, then the fields. The user
 * action comes before the fields because it is bound to bytes, not to their meaning, so that a stranger to the request
 * learns nothing about it. A request refused anywhere here leaves its user action unused.
 */
export async function perform(
  operation: Operation,
  services: Services & AuthServices,
  { request, path, params, query }: Matched,
  onCaller: (caller: Caller) => void,
): Promise<unknown> {
  const address = attempt(() => ({
    params: parseInput('params', operation.params, params),
    query: parseInput('query', strict(operation.query), query),
  }));
  let ahead: Promise<unknown> | undefined;
  const caller = await authenticate(services.db, services.tokens, bearerOf(request), (reader) => {
    if (address.ok) ahead = operation.ahead?.(reader, address.value);
    // Whoever may not call is told that and nothing of the rows; everybody else meets the failure below.
    ahead?.catch(() => undefined);
  });
  onCaller(caller);
  assertMayCall(operation, caller);

  const bytes = operation.method === 'get' ? Buffer.alloc(0) : await readBody(request);
  const action = operation.userAction ? await actionOf(operation, services, caller, request, path, params, bytes) : undefined;

  if (!address.ok) throw address.error;
  const input = {
    ...address.value,
    body: bodyOf(operation, bytes, request),
    authority: { caller, action },
    ahead: await ahead,
  };
  for (const permission of operation.furtherPermissions?.(input.body) ?? []) assertAllowed(caller, permission);

  const answer = await operation.handle(input, services);
  invariant(!action || action.consumed, `${operation.id} did not consume its user action`);
  return operation.response.parse(answer);
}

function bearerOf({ headers }: IncomingMessage): string {
  const [, token] = /^Bearer ([A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+)$/i.exec(headers.authorization ?? '') ?? [];
  if (token === undefined) throw unauthorized();
  return token;
}

async function actionOf(
  operation: Operation,
  { db, tokens }: Services & AuthServices,
  caller: Caller,
  request: IncomingMessage,
  path: string,
  params: Matched['params'],
  bytes: Buffer,
): Promise<VerifiedAction> {
  const header = request.headers['x-svc-useraction'];
  const token = typeof header === 'string' ? header : undefined;
  const arrived = { method: operation.method.toUpperCase(), path, bodySha256: sha256Hex(bytes) };
  const { approvalDigest, ...action } = await verifyAction(db, tokens, caller, token, arrived);
  // What was signed must be what stands there now, or the signer would answer for something it has not seen (S2).
  const committed = operation.params.safeParse(params);
  const now = committed.success ? await operation.commitment?.(db.read(caller.orgId), committed.data) : undefined;
  if ((now ?? null) !== approvalDigest) throw actionInvalid();
  return action;
}

/** A body that was left out counts as `{}` where the operation does not know "no body", so both are welcome. */
function bodyOf(operation: Operation, bytes: Buffer, request: IncomingMessage): unknown {
  const value = parseBody(bytes, request.headers);
  if (value === undefined && !operation.body.safeParse(undefined).success) return parseInput('body', operation.body, {});
  return parseInput('body', operation.body, value);
}

type Attempted<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown };

/** The fault of a field is told only to those who may call. */
function attempt<T>(work: () => T): Attempted<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    return { ok: false, error };
  }
}

/** Made once per schema: zod compiles each new one at its first use, which took longer than the rest of a read. */
const stricts = new WeakMap<z.ZodType, z.ZodType>();

/** An unknown query member is refused: a filter with a slip of the pen would otherwise answer everything. */
function strict(schema: z.ZodType): z.ZodType {
  const made = stricts.get(schema) ?? (schema instanceof z.ZodObject ? schema.strict() : schema);
  stricts.set(schema, made);
  return made;
}
