import type { z } from 'zod';
import type { TokenOperation } from './http/operation';

/**
 * The members that several operations share. The file of each operation adds the id, method, path and summary, and the members
 * that `Own` names.
 */
export type OperationPart<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
  Ahead = unknown,
  Own extends string = never,
> = Omit<TokenOperation<P, Q, B, R, Ahead>, 'id' | 'method' | 'path' | 'summary' | Own>;

/** Lets TypeScript infer the four schemas. */
export const operationPart =
  <Ahead = unknown, Own extends string = never>() =>
  <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType>(
    spec: OperationPart<P, Q, B, R, Ahead, Own>,
  ): OperationPart<P, Q, B, R, Ahead, Own> =>
    spec;
