import type { Action, GroupDefinition } from '../domain/policies';

type Known = GroupDefinition & { readonly id: string };

/** The groups of an action by their stable ids. A group that was stored without an id is identified by its index. */
export function groupsOf(action: Action): Known[] {
  if (action.kind !== 'RequestApproval') return [];
  return action.approvalGroups.map((group, at) => ({ ...group, id: group.id ?? `#${at}` }));
}

/**
 * The same action, with an id for each group. A group takes the id of its counterpart in the previous version. Counterparts are
 * sought in three steps: first identical groups, then groups with the same name, then groups with the same content. A group
 * without a counterpart gets a new id.
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

/** The action without the names and ids of its groups, because names and ids cannot alter a judgement. */
export function asksOf(action: Action): Action {
  return action.kind === 'RequestApproval' ? { ...action, approvalGroups: action.approvalGroups.map(unnamed) } : action;
}

/** An action as the interface shows it, without the internal ids of its groups. */
export function shownAction(action: Action): Action {
  if (action.kind !== 'RequestApproval') return action;
  return { ...action, approvalGroups: action.approvalGroups.map(({ id: _id, ...group }) => group) };
}

function unnamed({ id: _id, name: _name, ...group }: GroupDefinition): GroupDefinition {
  return group;
}

const isNamedAlike = (one: GroupDefinition, other: GroupDefinition) => (one.name ?? null) === (other.name ?? null);
const isRenamed = (one: GroupDefinition, other: GroupDefinition) => content(one) === content(other);

/** The content of a group without its name, in a fixed order of members so that two groups can be compared as text. */
function content(group: GroupDefinition): string {
  const { quorum, approvers, initiatorCanApprove = false, serviceAccountsCanApprove = false, escalation } = group;
  const later = escalation && [escalation.afterMinutes, escalation.approvers.userId?.in];
  return JSON.stringify([quorum, approvers.userId?.in, initiatorCanApprove, serviceAccountsCanApprove, later]);
}
