/** Times in seconds. */
export type TravelRuleConfiguration = {
  readonly vendor: 'TravelRuleVendor';
  /** How long the counterparty, or the vendor where there is none, has to answer; then the policy triggers. */
  readonly autoTriggerTimeoutSeconds: number;
  /** Where given, silence for so long after the delivery lets the transfer go on. */
  readonly autoClearAfterDeliveredTimeoutSeconds?: number;
};

/**
 * Where the message of a transfer stands: `Submitted` the vendor has it, `Delivered` the counterparty has it, and the rest are ends.
 * `TimedOut` is ours: nobody answered in time; `Failed` is ours too: the vendor could not be asked.
 */
export const TRAVEL_RULE_STATES = [
  'Requested',
  'Submitted',
  'Delivered',
  'Accepted',
  'Declined',
  'Cleared',
  'Invalid',
  'TimedOut',
  'Failed',
] as const;
export type TravelRuleState = (typeof TRAVEL_RULE_STATES)[number];

/** What rules judge by: `NotCarried` is a transfer without the payload, `NotApplicable` whatever is not a transfer. */
export type TravelRuleStanding =
  | { readonly kind: 'NotApplicable' }
  | { readonly kind: 'NotCarried' }
  | { readonly kind: 'Ended'; readonly state: Exclude<TravelRuleState, 'Requested' | 'Submitted' | 'Delivered'> };
