import type { z } from 'zod';

/** One body among several, discriminated by its `kind`. */
type BodyOfKind = z.ZodObject;

/** The bodies for networks of one family, in addition to those for all families. Each list may be empty. */
export type FamilyBodies = {
  /** Transfers of assets other than the native one. */
  readonly transfers: readonly BodyOfKind[];
  readonly transactions: readonly BodyOfKind[];
  /** Forms of `transaction` in a body of kind `Transaction`. */
  readonly rawTransactions: readonly z.ZodType[];
  readonly signatures: readonly BodyOfKind[];
  /** Kinds of signature that only requests to a key accept, in addition to `signatures`. */
  readonly keySignatures: readonly BodyOfKind[];
  /** Forms of `transaction` in a request for a signature, in addition to text. */
  readonly signableTransactions: readonly z.ZodType[];
};
