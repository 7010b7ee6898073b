import type { Ask } from '../domain/judgements';
import type { ScreeningVendor } from '../domain/screenings';

/** The workflow's type name: it stands in histories. */
export const SCREENING = 'screening';

/** A question to a vendor that tells how risky a transaction is. */
export type VendorAsk = Extract<Ask, { vendor: ScreeningVendor }>;

/** The workflow's id is made of the record's id and the vendor: one that is asked again later shows all questions under it. */
export type ScreeningInput = VendorAsk & { readonly orgId: string };

export type ScreeningWorkflow = (input: ScreeningInput) => Promise<void>;
