import type { z } from 'zod';
import type { FeeNetwork } from './fee-members';

/** Response members that belong to the networks of one family. */
export type FamilySchemas = {
  /**
   * Creates the schema of fee estimates for these networks. Families whose estimates have the same shape share one function.
   */
  readonly fees: (network: FeeNetwork) => z.ZodObject;
  /** The members of a request's details that no other family has. */
  readonly details: z.ZodRawShape;
  /** One sentence for each member of `details`, for the documentation. */
  readonly detailsSay: readonly string[];
};
