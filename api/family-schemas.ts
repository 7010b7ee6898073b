import type { z } from 'zod';
import type { FeeNetwork } from './fee-members';

/** Response members that belong to the networks of one family. */
export type FamilySchemas = {
  /** Families whose estimates have the same shape share one function. */
  readonly fees: (network: FeeNetwork) => z.ZodObject;
  /** The members that only this family has in the details of a request. */
  readonly details: z.ZodRawShape;
  /** One sentence for each member of `details`, for the documentation. */
  readonly detailsSay: readonly string[];
};
