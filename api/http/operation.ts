import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { ApprovalCommitment } from '../../application/approvals/decision-digests';
import type { Services } from '../../application/services';
import type { Authority } from '../../application/user-actions/act';
import type { CallerKind } from '../../domain/callers';
import type { ChangingOperation } from '../../domain/under-charter';
import type { Reader } from '../../entities/database';
import type { TokenClaims } from '../../platform/token-keys';
import type { Accepted, TextAnswer, Warned } from './answer';
import type { AuthServices } from './auth-services';
import type { Tag } from './tags';

type Address<P extends z.ZodType, Q extends z.ZodType> = { readonly params: z.output<P>; readonly query: z.output<Q> };
type Fields<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Address<P, Q> & { readonly body: z.output<B> };

/**
 * An operation that may change something must be listed in `UNDER_CHARTER`, which states the effect of the operation on the
 * signer.
 */
type OperationId = ChangingOperation | `${Reading}${string}`;
type Reading =
  | 'get'
  | 'list'
  | 'explain'
  | 'exportActivities'
  | 'exportBacktest'
  | `${'keys' | 'wallets'}${'Get' | 'List' | 'Explain'}`;

/** Some senders are authenticated by a signature over these bytes. */
export type RawRequest = { readonly bytes: Buffer; readonly headers: IncomingHttpHeaders };

/** `mayGoOn` returns false once the token has expired or the caller has lost the right to the operation. */
export type Streaming = { readonly lastEventId: string | undefined; readonly mayGoOn: () => Promise<boolean> };

type Facts<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = {
  /** The `operationId`. The name of the file is this id in kebab-case. */
  readonly id: OperationId;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** With `:name` parameters. A path that begins with `/v2` is also served without `/v2`. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  /**
   * Two to five sentences: the effect, further consequences, the emitted events, and the refusals that only this operation
   * returns.
   */
  readonly description: string;
  /** True if the interface keeps the operation only for clients that still call it. */
  readonly deprecated?: boolean;
  /** Body members without effect. A caller that sends such a member receives a `Deprecation` header. */
  readonly unusedMembers?: readonly string[];
  /** Empty if the operation does not need an authenticated caller. */
  readonly callers: readonly CallerKind[];
  /** The permission that every call needs; null if calls do not need a permission. */
  readonly permission: string | null;
  /** All names that `furtherPermissions` may return, for the documentation. */
  readonly furtherPermissionNames?: readonly string[];
  readonly userAction: boolean;
  /** True if the body contains a secret. The user action then stores only the digest of the body. */
  readonly secretBody?: true;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly response: R;
  /** The media type of the operation's `TextAnswer`, for the documentation. */
  readonly media?: string;
  /** The body of a 202, for a change that may have to wait for approval. */
  readonly accepted?: z.ZodType;
};

type Further<A> = {
  readonly authority: Authority;
  readonly ahead: A;
  readonly file?: Buffer | undefined;
  /** False if the operation has another `media` and the caller does not prefer JSON. */
  readonly prefersJson: boolean;
};

/** A bearer token identifies the caller. */
export type TokenOperation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A = unknown,
> = Facts<P, Q, B, R> & {
  readonly access?: undefined;
  /** True if the operation refuses every personal access token (published interface: `x-pat-forbidden`). */
  readonly refusesPersonalTokens?: boolean;
  /** True if the body contains the caller's signature. Each refused signature is recorded in the audit log. */
  readonly takesSignature?: true;
  /** True if the body is a `MultipartForm`. The JSON of `data` then has the member `fileChecksum`. */
  readonly file?: boolean;
  /** The further permissions that this body requires, such as `Keys:Create` if a new wallet needs a new key. */
  furtherPermissions?(body: z.output<B>): readonly string[];
  /** The digest of the approvals that the request decides. The user action must commit to this digest (S2). */
  commitment?(reader: Reader, params: z.output<P>, body: z.output<B>): Promise<ApprovalCommitment | undefined>;
  /** Reads rows while the caller is being authenticated. `handle` receives the rows only if the call is allowed. */
  ahead?(reader: Reader, address: Address<P, Q>): Promise<A>;
  handle(
    input: Fields<P, Q, B> & Further<A>,
    services: Services & AuthServices,
  ): Promise<z.input<R> | Accepted | TextAnswer | Warned<z.input<R>>>;
  /** The response to a caller that accepts only server-sent events. */
  stream?(
    input: Address<P, Q> & { readonly authority: Authority } & Streaming,
    services: Services & AuthServices,
  ): Promise<TextAnswer>;
};

/**
 * An operation without a bearer token. Some of these operations begin a login, registration or recovery that only the right
 * user can complete. The others authenticate the sender by a code, a credential, an identity provider or a signature over the
 * bytes.
 */
export type PublicOperation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = Facts<P, Q, B, R> & {
  readonly access: 'Public';
  handle(input: Fields<P, Q, B> & { readonly sent: RawRequest }, services: Services & AuthServices): Promise<z.input<R>>;
};

/**
 * Completes the registration or recovery for which the temporary token was issued. `ceremony.id` is the row id of the
 * challenge.
 */
export type TemporaryOperation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = Facts<P, Q, B, R> & {
  readonly access: 'Temporary';
  handle(input: Fields<P, Q, B> & { readonly ceremony: TokenClaims }, services: Services & AuthServices): Promise<z.input<R>>;
};

/** The functions are declared as methods so that operations with different schemas fit into one list. */
export type Operation = TokenOperation | PublicOperation | TemporaryOperation;

/** The path as OpenAPI and the log write it: `/wallets/{walletId}`. */
export const templateOf = ({ path }: Pick<Operation, 'path'>): string => path.replace(/:(\w+)/g, '{$1}');

/** Lets TypeScript infer the four schemas. */
export function operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType, A>(
  spec: TokenOperation<P, Q, B, R, A>,
): TokenOperation<P, Q, B, R, A> {
  return spec;
}

type Open = 'access' | 'callers' | 'permission' | 'userAction';

export function publicOperation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  spec: Omit<PublicOperation<P, Q, B, R>, Open>,
): PublicOperation<P, Q, B, R> {
  return { ...spec, access: 'Public', callers: [], permission: null, userAction: false };
}

export function temporaryOperation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  spec: Omit<TemporaryOperation<P, Q, B, R>, Open>,
): TemporaryOperation<P, Q, B, R> {
  return { ...spec, access: 'Temporary', callers: [], permission: null, userAction: false };
}
