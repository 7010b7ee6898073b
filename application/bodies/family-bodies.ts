import type { z } from 'zod';

/** One body among several, told by its `kind`. */
type BodyOfKind = z.ZodObject;

/** What callers send for networks of a family, beside what they send for all: each list may be empty. */
export type FamilyBodies = {
  /** Transfers of assets other than the native one. */
  readonly transfers: readonly BodyOfKind[];
  readonly transactions: readonly BodyOfKind[];
  /** Forms of `transaction` in a body of the kind Transaction. */
  readonly rawTransactions: readonly z.ZodType[];
  readonly signatures: readonly BodyOfKind[];
  /** Further ones by the path of the key. */
  readonly keySignatures: readonly BodyOfKind[];
  /** Forms of `transaction` in a request for a signature, beside text. */
  readonly signableTransactions: readonly z.ZodType[];
};
