/** The workflow's type name. It must not change, because outbox rows and histories contain it. */
export const CREATE_WALLET = 'createWallet';

/** `id` is the wallet's id, which is also the workflow's id. */
export type CreateWalletInput = { readonly orgId: string; readonly id: string };
