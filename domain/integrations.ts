export const INTEGRATION_KINDS = ['KytA', 'KytB', 'TravelRule'] as const;
export type IntegrationKind = (typeof INTEGRATION_KINDS)[number];

export const INTEGRATION_STATUSES = ['Active', 'Inactive'] as const;
export type IntegrationStatus = (typeof INTEGRATION_STATUSES)[number];

/**
 * The vendors that report by webhook. Such a vendor signs its reports with a secret that the vendor shares with this service.
 */
export const SIGNS_WEBHOOKS: Readonly<Record<IntegrationKind, boolean>> = { KytA: false, KytB: false, TravelRule: true };

export type IntegrationCredentials = { readonly apiKey: string; readonly webhookSecret?: string };

/** Why a vendor did not give a usable response. The texts come from this service, never from the vendor. */
export const VENDOR_FAILURES = [
  'NotConnected',
  'NotConfigured',
  'TimedOut',
  'Unreachable',
  'RateLimited',
  'Refused',
  'Failed',
  'Unreadable',
] as const;
export type VendorFailure = (typeof VENDOR_FAILURES)[number];

export type IntegrationTest = { readonly ok: true } | { readonly ok: false; readonly failure: VendorFailure };
