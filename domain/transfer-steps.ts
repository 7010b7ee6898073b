/** Ids only: the activity reads everything else from the rows (S1). */
export type TransferRef = { readonly orgId: string; readonly transferId: string };

/**
 * `Waiting`: the transfer waits for a free place in the sender's lane (queue of transactions), or for funds that open transfers
 * may still spend. `Sent`: the transfer waits only for its inclusion in the chain.
 */
export type Preparation = 'Ready' | 'Sent' | 'Waiting' | 'FeeAboveCeiling' | 'PolicyChanged' | 'Failed';
