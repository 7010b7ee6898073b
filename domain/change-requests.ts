import type { Hold } from './judgements';
import type { ChangeActivityKind } from './policies';

/** What a change request is about; an entry of the address registry is an `Alias`, a contract's schema a `SmartContract`. */
export type ChangeKind = 'Permission' | 'Assignment' | 'Policy' | 'Freeze' | 'Alias' | 'SmartContract';
export type ChangeOperation = 'Create' | 'Update' | 'Delete';

export const CHANGE_STATUSES = ['Pending', 'Applied', 'Failed', 'Rejected'] as const;
export type ChangeStatus = (typeof CHANGE_STATUSES)[number];

/** The activity that policies judge when a change of this kind is asked for. */
export const ACTIVITY_OF: Readonly<Record<ChangeKind, ChangeActivityKind>> = {
  Permission: 'Permissions:Modify',
  Assignment: 'Permissions:Assign',
  Policy: 'Policies:Modify',
  Freeze: 'Policies:Modify',
  Alias: 'Registry:Addresses:Modify',
  SmartContract: 'Registry:ContractSchemas:Modify',
};

/** A change request, named for an activity: ids only, everything else is read from the rows. */
export type ChangeRef = { readonly orgId: string; readonly changeRequestId: string };

/** Where a change request stands: people decide, or it has ended. */
export type ChangeStanding =
  | ({ readonly outcome: 'Held' } & Hold)
  | { readonly outcome: 'Ended'; readonly status: Exclude<ChangeStatus, 'Pending'> };
