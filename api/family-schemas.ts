import type { z } from 'zod';
import type { FeeNetwork } from './fee-members';

/** Response members that belong to the networks of one family. */
export type FamilySchemas = {
  /** Fee estimates, discriminated by `kind`. Families whose estimates have the same shape share the function. */
  readonly fees: (network: FeeNetwork) => z.ZodObject;
  /** Members of a request's details that no other family has, with a sentence for each. */
  readonly details: z.ZodRawShape;
  readonly detailsSay: readonly string[];
};
