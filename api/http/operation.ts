import type { z } from 'zod';
import type { Authority } from '../../application/authority';
import type { Services } from '../../application/services';
import type { CallerKind } from '../../domain/callers';
import type { Reader } from '../../entities/database';
import type { AuthServices } from './auth-services';

type Input<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType> = {
  readonly params: z.output<P>;
  readonly query: z.output<Q>;
  readonly body: z.output<B>;
  readonly authority: Authority;
};

/** A request's fields without its body. */
type Address<P extends z.ZodType, Q extends z.ZodType> = Pick<Input<P, Q, z.ZodType>, 'params' | 'query'>;

/**
 * One HTTP operation as one value. Router, OpenAPI, permission catalogue, docs and tests all read it. The functions are
 * declared as methods because only so do operations of different schemas fit into one list.
 */
export type Operation<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
  A = unknown,
> = {
  /** The contract's `operationId`; the file carries its kebab-case form. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** The contract's path with `:name` parameters. A `/v2` path is served without `/v2` too. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly callers: readonly CallerKind[];
  /** The permission every call needs; null where the contract asks none. */
  readonly permission: string | null;
  /** Further permissions that this body needs (`Keys:Create` when a key is made). */
  furtherPermissions?(body: z.output<B>): readonly string[];
  /** Names that `furtherPermissions` may answer, for the documentation. */
  readonly furtherPermissionNames?: readonly string[];
  /** True where the call needs a signed user action. */
  readonly userAction: boolean;
  readonly params: P;
  readonly query: Q;
  readonly body: B;
  readonly response: R;
  /** What the user action of this call must also commit to: the approval's digest for a decision (S2). */
  commitment?(reader: Reader, params: z.output<P>): Promise<string | undefined>;
  /**
   * Rows of a read, for which nothing of the caller must be known but the organisation. They are asked for together with the
   * question who calls, and reach `handle` only when the call is allowed.
   */
  ahead?(reader: Reader, address: Address<P, Q>): Promise<A>;
  handle(input: Input<P, Q, B> & { readonly ahead: A }, services: Services & AuthServices): Promise<z.input<R>>;
};

/** Identity function that lets TypeScript infer the four schemas. */
export function operation<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType, A>(
  spec: Operation<P, Q, B, R, A>,
): Operation<P, Q, B, R, A> {
  return spec;
}
