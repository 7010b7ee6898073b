import { digestOf } from './canonical';

/** `digest` is null if the organisation has no approval with this id. */
export type DecidedApproval = { readonly approvalId: string; readonly digest: string | null };

/** The digest that a signature for several decisions covers. The approvals are ordered by id. */
export const digestOfDecisions = (decisions: readonly DecidedApproval[]): string => digestOf({ v: 1, decisions });
