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
import type { Tag } from './tags';

/** The fields that the address of a request contains. */
type Address<P extends z.ZodType, Q extends z.ZodType> = { readonly params: z.output<P>; readonly query: z.output<Q> };
type Fields<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = Address<P, Q> & { readonly body: z.output<B> };

/** The bytes and headers of a request as received. Some senders are authenticated by a signature over these bytes. */
export type RawRequest = { readonly bytes: Buffer; readonly headers: IncomingHttpHeaders };

/** The members that every operation declares. */
type Facts<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = {
  /** The `operationId` in the OpenAPI document. The name of the file is this id in kebab-case. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** The path in the interface, with `:name` parameters. A path that begins with `/v2` is also served without `/v2`. */
  readonly path: string;
  readonly tag: Tag;
  readonly summary: string;
  /**
   * Two to five sentences: the effect of the operation, further consequences, the emitted events, and refusals of this
   * operation only.
   */
  readonly description: string;
  /** True if the interface keeps the operation only for clients that still call it. */
  readonly deprecated?: boolean;
  /** Body members that no longer have an effect. A caller that sends such a member gets a `Deprecation` header. */
  readonly unusedMembers?: readonly string[];
  /** The kinds of callers that may call; empty if the operation needs no authenticated caller. */
  readonly callers: readonly CallerKind[];
  /** The permission that every call needs; null if a call needs no permission. */
  readonly permission: string | null;
  /** All names that `furtherPermissions` may return, for the documentation. */
  readonly furtherPermissionNames?: readonly string[];
  /** True if the call needs a signed user action. */
  readonly userAction: boolean;
  /** True if the body holds a secret. The user action then stores only the digest of the body, never the text of the body. */
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

/** An operation whose caller is identified by a bearer token. */
export type TokenOperation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A = unknown,
> = Facts<P, Q, B, R> & {
  readonly access?: undefined;
  /**
   * True if the operation refuses every personal access token, even with the permission (published interface:
   * `x-pat-forbidden`).
   */
  readonly refusesPersonalTokens?: boolean;
  /** True if the body is a `MultipartForm`: `data` is JSON text with the member `fileChecksum`, the checksum of `file`. */
  readonly file?: boolean;
  /** Returns the further permissions that this body requires, such as `Keys:Create` if a new wallet needs a new key. */
  furtherPermissions?(body: z.output<B>): readonly string[];
  /**
   * Returns the data to which the user action must commit in addition to the request. The data is the digest of the approval
   * that the request decides (S2).
   */
  commitment?(reader: Reader, params: z.output<P>, body: z.output<B>): Promise<ApprovalCommitment | undefined>;
  /**
   * Reads rows that can be found by the organisation and the address of the request alone. The reads run while the caller is
   * being authenticated. The rows reach `handle` only if the call is allowed.
   */
  ahead?(reader: Reader, address: Address<P, Q>): Promise<A>;
  handle(
    input: Fields<P, Q, B> & { readonly authority: Authority; readonly ahead: A; readonly file?: Buffer | undefined },
    services: Services & AuthServices,
  ): Promise<z.input<R> | Accepted | TextAnswer>;
};

/**
 * An operation without a bearer token. Some of these operations begin a login, registration or recovery that only the right
 * user can complete. The other operations authenticate the sender by a code, a credential, an identity provider or a signature
 * over the bytes.
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
 * An operation that completes the registration or recovery for which the temporary token was issued. `ceremony.id` is the ID of
 * the row of the challenge.
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

/**
 * One HTTP operation as one value. The router, the OpenAPI document, the permission catalogue and the tests read this value.
 * The functions are declared as methods so that operations with different schemas fit into one list.
 */
export type Operation = TokenOperation | PublicOperation | TemporaryOperation;

/** The path in the form that OpenAPI and the log use: `/wallets/{walletId}`. */
export const templateOf = ({ path }: Pick<Operation, 'path'>): string => path.replace(/:(\w+)/g, '{$1}');

/** Identity function that lets TypeScript infer the four schemas. */
export function operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType, A>(
  spec: TokenOperation<P, Q, B, R, A>,
): TokenOperation<P, Q, B, R, A> {
  return spec;
}

type Open = 'access' | 'callers' | 'permission' | 'userAction';

/** Like `operation`, for an operation that is called without a bearer token. */
export function publicOperation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  spec: Omit<PublicOperation<P, Q, B, R>, Open>,
): PublicOperation<P, Q, B, R> {
  return { ...spec, access: 'Public', callers: [], permission: null, userAction: false };
}

/** Like `operation`, for an operation that is called with a temporary token. */
export function temporaryOperation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
  spec: Omit<TemporaryOperation<P, Q, B, R>, Open>,
): TemporaryOperation<P, Q, B, R> {
  return { ...spec, access: 'Temporary', callers: [], permission: null, userAction: false };
}
