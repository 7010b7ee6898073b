import type { z } from 'zod';

/** A body whose member `kind` distinguishes this body from the other bodies of the same operation. */
type BodyOfKind = z.ZodObject;

/** The request bodies for networks of one family, in addition to the bodies for all families. Each list may be empty. */
export type FamilyBodies = {
  /** Transfers of assets other than the native one. */
  readonly transfers: readonly BodyOfKind[];
  readonly transactions: readonly BodyOfKind[];
  /** Forms of `transaction` in a body of kind `Transaction`. */
  readonly rawTransactions: readonly z.ZodType[];
  readonly signatures: readonly BodyOfKind[];
  /**
   * Kinds of signature that a request to a key accepts in addition to `signatures`. A request to a wallet refuses these kinds.
   */
  readonly keySignatures: readonly BodyOfKind[];
  /** Forms of `transaction` in a request for a signature, in addition to the serialized transaction as text. */
  readonly signableTransactions: readonly z.ZodType[];
};
