import type { Ask } from '../domain/judgements';
import type { ScreeningVendor } from '../domain/screenings';

/** The workflow's type name. It must not change, because histories contain it. */
export const SCREENING = 'screening';

/** A request to a vendor that assesses the risk of a transaction. */
export type VendorAsk = Extract<Ask, { vendor: ScreeningVendor }>;

/** The workflow's id combines the record's id and the vendor, so all screenings of a record by this vendor have the same id. */
export type ScreeningInput = VendorAsk & { readonly orgId: string };

export type ScreeningWorkflow = (input: ScreeningInput) => Promise<void>;
