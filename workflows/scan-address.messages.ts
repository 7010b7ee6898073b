/** Outbox rows and histories contain the name, so the name must not change. */
export const SCAN_ADDRESS = 'scanAddress';

/** `id` is the id of the back-fill and of the workflow. */
export type ScanAddressInput = {
  readonly orgId: string;
  readonly id: string;
  readonly routing: { readonly network: string };
};
