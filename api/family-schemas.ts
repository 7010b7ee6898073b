import type { z } from 'zod';
import type { FeeNetwork } from './fee-members';

/** What answers say of a family's networks alone. */
export type FamilySchemas = {
  /** Fee estimates, told by their `kind`. Families whose estimates have one form share the function. */
  readonly fees: (network: FeeNetwork) => z.ZodObject;
  /** Members of the details of a request that no other family has, and a sentence for each. */
  readonly details: z.ZodRawShape;
  readonly detailsSay: readonly string[];
};
