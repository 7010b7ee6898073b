/** The workflow's type name: it stands in outbox rows and histories. */
export const CREATE_WALLET = 'createWallet';

/** `id` is the wallet's id, which is also the workflow's. */
export type CreateWalletInput = { readonly orgId: string; readonly id: string };
