import type { PolicyRule } from '../rule';

type ActionFault = PolicyRule['actionFault'];

/** Every action except `NoAction` is allowed. */
export const stops: ActionFault = (action, rule) =>
  action === 'NoAction'
    ? `must not be NoAction with the rule ${rule}: only screening rules report without stopping anything`
    : undefined;

/** Every action is allowed: a vendor's finding is worth a report even if the policy neither holds nor blocks the activity. */
export const stopsOrReports: ActionFault = () => undefined;

/** Only `NoAction` is allowed, because an incoming transaction cannot be stopped. */
export const reportsOnly: ActionFault = (action, rule) =>
  action === 'NoAction' ? undefined : `must be NoAction with the rule ${rule}: what has arrived cannot be stopped`;

/** Only `Block` is allowed. */
export const blocks: ActionFault = (action, rule) => (action === 'Block' ? undefined : `must be Block with the rule ${rule}`);
