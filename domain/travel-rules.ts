/** All times are in seconds. */
export type TravelRuleConfiguration = {
  readonly vendor: 'TravelRuleVendor';
  /**
   * The policy triggers if no final answer arrives within this time after the submission. The counterparty gives the answer or,
   * without a counterparty, the vendor does.
   */
  readonly autoTriggerTimeoutSeconds: number;
  /**
   * The transfer is cleared if no final answer arrives within this time after the delivery. If absent, a missing answer never
   * clears the transfer.
   */
  readonly autoClearAfterDeliveredTimeoutSeconds?: number;
};

type Free = Readonly<Record<string, unknown>>;

/** This is personal data: rows store the data sealed, and events, logs and histories never contain the data. */
export type TravelRulePayload = {
  readonly kind: 'TravelRuleVendor';
  readonly originator: Free;
  readonly beneficiary: Free;
  /** The service that holds the beneficiary's wallet; absent if there is no such service. */
  readonly beneficiaryVASPdid?: string;
  readonly beneficiaryProof?: Free;
};

/**
 * `Submitted`: the vendor has the message. `Delivered`: the counterparty has the message. The states after `Delivered` are final.
 * This service sets `TimedOut` if no answer arrived in time, `Cleared` if the missing answer cleared the transfer, and `Failed`
 * if the vendor could not be reached.
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
type Open = 'Requested' | 'Submitted' | 'Delivered';
export type TravelRuleEnd = Exclude<TravelRuleState, Open>;

/**
 * The counterparty's answer may arrive before the vendor's response to the submission. So `Requested` leads to every state
 * except `TimedOut` and `Cleared`, which deadlines set. A submitted message cannot fail, because the answer can still arrive in
 * time.
 */
export const TRAVEL_RULE_MOVES: Readonly<Record<TravelRuleState, readonly TravelRuleState[]>> = {
  Requested: ['Submitted', 'Delivered', 'Accepted', 'Declined', 'Invalid', 'Failed'],
  Submitted: ['Delivered', 'Accepted', 'Declined', 'Invalid', 'TimedOut'],
  Delivered: ['Accepted', 'Declined', 'Invalid', 'TimedOut', 'Cleared'],
  Accepted: [],
  Declined: [],
  Cleared: [],
  Invalid: [],
  TimedOut: [],
  Failed: [],
};

export const isTravelRuleEnd = (state: TravelRuleState): state is TravelRuleEnd => TRAVEL_RULE_MOVES[state].length === 0;

export const TRAVEL_RULE_STATUSES = ['Submitted', 'Delivered', 'Accepted', 'Declined', 'Invalid'] as const;
export type TravelRuleStatus = (typeof TRAVEL_RULE_STATUSES)[number];

/** In seconds; `clear` is null if a missing answer never clears the transfer. */
export type TravelRuleTimes = { readonly trigger: number; readonly clear: number | null };

/**
 * Combines the deadlines of several policies so that each deadline is respected. A missing answer clears the transfer only if all
 * policies allow it. Returns null if there are no policies.
 */
export function strictestTimes(configurations: readonly TravelRuleConfiguration[]): TravelRuleTimes | null {
  if (configurations.length === 0) return null;
  const clears = configurations.flatMap(({ autoClearAfterDeliveredTimeoutSeconds: clear }) => clear ?? []);
  return {
    trigger: Math.min(...configurations.map(({ autoTriggerTimeoutSeconds }) => autoTriggerTimeoutSeconds)),
    clear: clears.length === configurations.length ? Math.max(...clears) : null,
  };
}

/** `waitMs` is the time until the next deadline. */
export type TravelRuleProgress = {
  readonly state: TravelRuleState;
  readonly waitMs: number;
};

/**
 * `NotCarried`: a transfer without the payload. `NotApplicable`: an activity that is not a transfer. `NotSent`: only policies in
 * `Shadow` use the payload, and personal data must not leave the deployment only to test a policy.
 */
export type TravelRuleStanding =
  | { readonly kind: 'NotApplicable' }
  | { readonly kind: 'NotCarried' }
  | { readonly kind: 'NotSent' }
  | { readonly kind: 'Ended'; readonly state: TravelRuleEnd };
