import type { Action, GroupDefinition } from '../domain/policies';

type Known = GroupDefinition & { readonly id: string };

/** A group that was stored without an id is identified by its index. */
export function groupsOf(action: Action): Known[] {
  if (action.kind !== 'RequestApproval') return [];
  return action.approvalGroups.map((group, at) => ({ ...group, id: group.id ?? `#${at}` }));
}

/**
 * Gives each group the id of its counterpart in the previous version, or else a new id. Looks for an identical group first, then
 * for a group with the same name, then for a group with the same content.
 */
export function withGroupIds(action: Action, before: Action | undefined, newId: () => string): Action {
  if (action.kind !== 'RequestApproval') return action;
  const left = before === undefined ? [] : groupsOf(before);
  const ids = new Map<GroupDefinition, string>();
  const isEqual = (one: GroupDefinition, other: GroupDefinition) => isNamedAlike(one, other) && isRenamed(one, other);
  for (const isSame of [isEqual, isNamedAlike, isRenamed])
    for (const group of action.approvalGroups.filter((one) => !ids.has(one))) {
      const at = left.findIndex((one) => isSame(one, group));
      const [found] = at < 0 ? [] : left.splice(at, 1);
      if (found) ids.set(group, found.id);
    }
  return { ...action, approvalGroups: action.approvalGroups.map((group) => ({ ...group, id: ids.get(group) ?? newId() })) };
}

/** Leaves out the names and ids of groups, because names and ids cannot alter a judgement. */
export function asksOf(action: Action): Action {
  return action.kind === 'RequestApproval' ? { ...action, approvalGroups: action.approvalGroups.map(unnamed) } : action;
}

export function shownAction(action: Action): Action {
  if (action.kind !== 'RequestApproval') return action;
  return { ...action, approvalGroups: action.approvalGroups.map(({ id: _id, ...group }) => group) };
}

function unnamed({ id: _id, name: _name, ...group }: GroupDefinition): GroupDefinition {
  return group;
}

const isNamedAlike = (one: GroupDefinition, other: GroupDefinition) => (one.name ?? null) === (other.name ?? null);
const isRenamed = (one: GroupDefinition, other: GroupDefinition) => content(one) === content(other);

/** The members have a fixed order, so that two groups can be compared as text. */
function content(group: GroupDefinition): string {
  const { quorum, approvers, initiatorCanApprove = false, serviceAccountsCanApprove = false, escalation } = group;
  const later = escalation && [escalation.afterMinutes, escalation.approvers.userId?.in];
  return JSON.stringify([quorum, approvers.userId?.in, initiatorCanApprove, serviceAccountsCanApprove, later]);
}
