import type { z } from 'zod';

/** The member `kind` distinguishes the bodies of one operation. */
type BodyOfKind = z.ZodObject;

/** The bodies for networks of one family, in addition to the bodies for all families. */
export type FamilyBodies = {
  /** Transfers of assets other than the native asset. */
  readonly transfers: readonly BodyOfKind[];
  readonly transactions: readonly BodyOfKind[];
  /** Forms of `transaction` in a body of kind `Transaction`. */
  readonly rawTransactions: readonly z.ZodType[];
  readonly signatures: readonly BodyOfKind[];
  /** Only a request to a key accepts these kinds. */
  readonly keySignatures: readonly BodyOfKind[];
  /** Forms of `transaction`, in addition to the serialized transaction as text. */
  readonly signableTransactions: readonly z.ZodType[];
};
