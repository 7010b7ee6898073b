import type { PolicyRule } from '../rule';

type ActionFault = PolicyRule['actionFault'];

export const stops: ActionFault = (action, rule) =>
  action === 'NoAction'
    ? `must not be NoAction with the rule ${rule}: only screening rules report without stopping anything`
    : undefined;

/** Every action is allowed: a vendor's finding is worth reporting even if the policy holds and blocks nothing. */
export const stopsOrReports: ActionFault = () => undefined;

export const reportsOnly: ActionFault = (action, rule) =>
  action === 'NoAction' ? undefined : `must be NoAction with the rule ${rule}: what has arrived cannot be stopped`;

export const blocks: ActionFault = (action, rule) => (action === 'Block' ? undefined : `must be Block with the rule ${rule}`);
