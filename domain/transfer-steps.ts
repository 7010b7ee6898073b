/** A transfer, named for an activity: ids only, everything else is read from the rows (S1). */
export type TransferRef = { readonly orgId: string; readonly transferId: string };

/** `Waiting`: for a place in the sender's lane or for funds that open transfers may still spend. `Sent`: only for the chain. */
export type Preparation = 'Ready' | 'Sent' | 'Waiting' | 'FeeAboveCeiling' | 'PolicyChanged' | 'Failed';
