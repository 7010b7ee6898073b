import type { PolicyRule } from '../rule';

type ActionFault = PolicyRule['actionFault'];

export const stops: ActionFault = (action, rule) =>
  action === 'NoAction'
    ? `must not be NoAction with the rule ${rule}: only screening rules report without stopping anything`
    : undefined;

/** A vendor's finding is worth a report even if the policy neither holds nor blocks the activity. */
export const stopsOrReports: ActionFault = () => undefined;

/** An incoming transaction cannot be stopped. */
export const reportsOnly: ActionFault = (action, rule) =>
  action === 'NoAction' ? undefined : `must be NoAction with the rule ${rule}: what has arrived cannot be stopped`;

export const blocks: ActionFault = (action, rule) => (action === 'Block' ? undefined : `must be Block with the rule ${rule}`);
