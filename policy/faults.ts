import type { Action, GroupDefinition, Rule } from '../domain/policies';
import { RULES } from './rules';

/** `path` is the path of the faulty member, such as `action.kind`. */
export type Fault = { readonly path: string; readonly message: string };

type Draft = { readonly rule: Rule; readonly action: Action };
type RequestApproval = Extract<Action, { kind: 'RequestApproval' }>;

/** The faults in the combination of these members. Each member alone is already valid. */
export function faultsOf({ rule, action }: Draft): Fault[] {
  return [...faultsOfKinds(rule, action), ...(action.kind === 'RequestApproval' ? faultsOfTimes(action) : [])];
}

function faultsOfKinds({ kind: rule }: Rule, { kind: action }: Action): Fault[] {
  const message = RULES[rule].actionFault(action, rule);
  return message === undefined ? [] : [{ path: 'action.kind', message }];
}

/** A reminder or escalation that is due only after the approval has expired would never happen. */
function faultsOfTimes({ approvalGroups, autoRejectTimeout, reminderAfterMinutes }: RequestApproval): Fault[] {
  if (autoRejectTimeout === undefined || autoRejectTimeout === null) return [];
  const message = 'must be less than autoRejectTimeout, when the approval expires';
  const isLate = (minutes: number | undefined): boolean => minutes !== undefined && minutes >= autoRejectTimeout;
  const late = (group: GroupDefinition, at: number): Fault[] =>
    isLate(group.escalation?.afterMinutes) ? [{ path: `action.approvalGroups.${at}.escalation.afterMinutes`, message }] : [];
  return [
    ...(isLate(reminderAfterMinutes) ? [{ path: 'action.reminderAfterMinutes', message }] : []),
    ...approvalGroups.flatMap(late),
  ];
}
