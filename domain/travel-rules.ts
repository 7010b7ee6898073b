/** Times in seconds. */
export type TravelRuleConfiguration = {
  readonly vendor: 'TravelRuleVendor';
  /** How long the counterparty, or without one the vendor, has to answer before the policy triggers. */
  readonly autoTriggerTimeoutSeconds: number;
  /** If given, silence for this long after the delivery lets the transfer proceed. */
  readonly autoClearAfterDeliveredTimeoutSeconds?: number;
};

type Free = Readonly<Record<string, unknown>>;

/** A transfer's data about the people in it: personal data, so it is sealed in rows and stays out of events, logs and histories. */
export type TravelRulePayload = {
  readonly kind: 'TravelRuleVendor';
  readonly originator: Free;
  readonly beneficiary: Free;
  /** The service that holds the beneficiary's wallet; absent if there is none and the vendor itself has to answer. */
  readonly beneficiaryVASPdid?: string;
  readonly beneficiaryProof?: Free;
};

/**
 * The states of a transfer's message: `Submitted` the vendor has it, `Delivered` the counterparty has it, and the rest are ends. `TimedOut`
 * is ours: no answer came in time; `Failed` is ours too: the vendor could not be asked.
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
 * Every legal move. The counterparty's answer may arrive before the vendor's own response to the submission, so `Requested` leads to every state
 * except those set by the clock. A submitted message no longer fails, because its answer can still arrive in time.
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

/** True for a final state. */
export const isTravelRuleEnd = (state: TravelRuleState): state is TravelRuleEnd => TRAVEL_RULE_MOVES[state].length === 0;

/** The vendor's statuses of a message. */
export const TRAVEL_RULE_STATUSES = ['Submitted', 'Delivered', 'Accepted', 'Declined', 'Invalid'] as const;
export type TravelRuleStatus = (typeof TRAVEL_RULE_STATUSES)[number];

/** In seconds; `clear` is null where silence clears nothing. */
export type TravelRuleTimes = { readonly trigger: number; readonly clear: number | null };

/**
 * The deadlines of several policies combined so that each is respected: the shortest wait for an answer, and silence clears only if all of them allow
 * it, after the longest of their times. Null for none.
 */
export function strictestTimes(configurations: readonly TravelRuleConfiguration[]): TravelRuleTimes | null {
  if (configurations.length === 0) return null;
  const clears = configurations.flatMap(({ autoClearAfterDeliveredTimeoutSeconds: clear }) => clear ?? []);
  return {
    trigger: Math.min(...configurations.map(({ autoTriggerTimeoutSeconds }) => autoTriggerTimeoutSeconds)),
    clear: clears.length === configurations.length ? Math.max(...clears) : null,
  };
}

/** The state of a message for a caller that waits for its end: `waitMs` until the next deadline. */
export type TravelRuleProgress = {
  readonly state: TravelRuleState;
  readonly waitMs: number;
};

/**
 * The basis for rules: `NotCarried` is a transfer without the payload, `NotApplicable` anything that is not a transfer. `NotSent` is a
 * payload that only policies in `Shadow` ask about: people's data does not leave the deployment for a trial.
 */
export type TravelRuleStanding =
  | { readonly kind: 'NotApplicable' }
  | { readonly kind: 'NotCarried' }
  | { readonly kind: 'NotSent' }
  | { readonly kind: 'Ended'; readonly state: TravelRuleEnd };
