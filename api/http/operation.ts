import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { ApprovalCommitment } from '../../application/approvals/decision-digests';
import type { Services } from '../../application/services';
import type { Authority } from '../../application/user-actions/act';
import type { CallerKind } from '../../domain/callers';
import type { Reader } from '../../entities/database';
import type { TokenClaims } from '../../platform/token-keys';
import type { Accepted, TextAnswer } from './answer';
import type { AuthServices } from './auth-services';

/** A request's fields without its body. */
type Address<P extends z.ZodType, Q extends z.ZodType> = { readonly params: z.output<P>; readonly query: z.output<Q> };
type Fields<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Address<P, Q> & { readonly body: z.output<B> };

/** What came over the wire, for whoever is known by a signature over just that. */
export type RawRequest = { readonly bytes: Buffer; readonly headers: IncomingHttpHeaders };

/** What every operation says of itself. */
type Facts<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = {
  /** The contract's `operationId`; the file carries its kebab-case form. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** The contract's path with `:name` parameters. A `/v2` path is served without `/v2` too. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** What the summary leaves open, for the documentation. */
  readonly description?: string;
  /** True where the contract keeps the operation only for clients that still call it. */
  readonly deprecated?: boolean;
  /** Members of the body that have no effect any more; a call that sends one is told so in a header. */
  readonly unusedMembers?: readonly string[];
  /** Empty where nobody has to be known. */
  readonly callers: readonly CallerKind[];
  /** The permission every call needs; null where the contract asks none. */
  readonly permission: string | null;
  /** Names that `furtherPermissions` may answer, for the documentation. */
  readonly furtherPermissionNames?: readonly string[];
  /** True where the call needs a signed user action. */
  readonly userAction: boolean;
  /** True where the body holds a secret: of such a body only the digest is kept with its user action, never the text. */
  readonly secretBody?: true;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly response: R;
  /** The media type of a `TextAnswer`, for the documentation. */
  readonly media?: string;
  /** The body of a 202, where the change may have to wait for people. */
  readonly accepted?: z.ZodType;
};

/** An operation whose caller is known by a bearer token. */
export type TokenOperation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A = unknown,
> = Facts<P, Q, B, R> & {
  readonly access?: undefined;
  /** True where a personal access token is refused, whatever its user may do (contract: `x-pat-forbidden`). */
  readonly refusesPersonalTokens?: boolean;
  /** True where the body is a form of `data`, the JSON text that is announced, and `file`, which its `fileChecksum` binds. */
  readonly file?: boolean;
  /** Further permissions that this body needs (`Keys:Create` when a key is made). */
  furtherPermissions?(body: z.output<B>): readonly string[];
  /** What the user action of this call must also commit to: the approval's digest for a decision (S2). */
  commitment?(reader: Reader, params: z.output<P>, body: z.output<B>): Promise<ApprovalCommitment | undefined>;
  /**
   * Rows of a read, for which nothing of the caller must be known but the organisation. They are asked for together with the
   * question who calls, and reach `handle` only when the call is allowed.
   */
  ahead?(reader: Reader, address: Address<P, Q>): Promise<A>;
  handle(
    input: Fields<P, Q, B> & { readonly authority: Authority; readonly ahead: A; readonly file?: Buffer | undefined },
    services: Services & AuthServices,
  ): Promise<z.input<R> | Accepted | TextAnswer>;
};

/** An operation that anybody may call: it begins what only the right person can complete. */
export type PublicOperation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = Facts<P, Q, B, R> & {
  readonly access: 'Public';
  handle(input: Fields<P, Q, B> & { readonly sent: RawRequest }, services: Services & AuthServices): Promise<z.input<R>>;
};

/** An operation that completes what its temporary bearer token was given for; `ceremony.id` is the challenge's row. */
export type TemporaryOperation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> = Facts<P, Q, B, R> & {
  readonly access: 'Temporary';
  handle(input: Fields<P, Q, B> & { readonly ceremony: TokenClaims }, services: Services & AuthServices): Promise<z.input<R>>;
};

/**
 * One HTTP operation as one value. Router, OpenAPI, permission catalogue, docs and tests all read it. The functions are
 * declared as methods because only so do operations of different schemas fit into one list.
 */
export type Operation = TokenOperation | PublicOperation | TemporaryOperation;

/** The path as OpenAPI and the log write it: `/wallets/{walletId}`. */
export const templateOf = ({ path }: Pick<Operation, 'path'>): string => path.replace(/:(\w+)/g, '{$1}');

/** Identity function that lets TypeScript infer the four schemas. */
export function operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType, A>(
  spec: TokenOperation<P, Q, B, R, A>,
): TokenOperation<P, Q, B, R, A> {
  return spec;
}

type Open = 'access' | 'callers' | 'permission' | 'userAction';

/** As `operation`, for one that anybody may call. */
export function publicOperation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  spec: Omit<PublicOperation<P, Q, B, R>, Open>,
): PublicOperation<P, Q, B, R> {
  return { ...spec, access: 'Public', callers: [], permission: null, userAction: false };
}

/** As `operation`, for one that is called with a temporary token. */
export function temporaryOperation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  spec: Omit<TemporaryOperation<P, Q, B, R>, Open>,
): TemporaryOperation<P, Q, B, R> {
  return { ...spec, access: 'Temporary', callers: [], permission: null, userAction: false };
}
