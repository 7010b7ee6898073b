import type { Ask } from '../domain/judgements';
import type { ScreeningVendor } from '../domain/screenings';

/** Histories contain the name, so the name must not change. */
export const SCREENING = 'screening';

export type VendorAsk = Extract<Ask, { vendor: ScreeningVendor }>;

/** All screenings of a record by one vendor have the same workflow id. */
export type ScreeningInput = VendorAsk & { readonly orgId: string };

export type ScreeningWorkflow = (input: ScreeningInput) => Promise<void>;
