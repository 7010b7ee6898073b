import type { Ask } from '../domain/judgements';
import type { ScreeningVendor } from '../domain/screenings';

/** The workflow's type name: histories hold it. */
export const SCREENING = 'screening';

/** A question to a vendor that assesses the risk of a transaction. */
export type VendorAsk = Extract<Ask, { vendor: ScreeningVendor }>;

/** The workflow's id combines the record's id and the vendor: a record that is screened again later shows all its questions under one id. */
export type ScreeningInput = VendorAsk & { readonly orgId: string };

export type ScreeningWorkflow = (input: ScreeningInput) => Promise<void>;
