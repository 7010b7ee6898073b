/** Identifies a transfer to an activity by ids only; the activity reads everything else from the rows (S1). */
export type TransferRef = { readonly orgId: string; readonly transferId: string };

/**
 * `Waiting`: the transfer waits for a slot in the sender's lane, or for funds that open transfers may still spend. `Sent`: it
 * waits only for the chain.
 */
export type Preparation = 'Ready' | 'Sent' | 'Waiting' | 'FeeAboveCeiling' | 'PolicyChanged' | 'Failed';
