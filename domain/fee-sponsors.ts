/** A sponsor that is deactivated pays for nothing new; one that is archived never again. */
export const FEE_SPONSOR_STATUSES = ['Active', 'Deactivated', 'Archived'] as const;
export type FeeSponsorStatus = (typeof FEE_SPONSOR_STATUSES)[number];
