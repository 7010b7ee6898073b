/** Outbox rows and histories contain the name, so the name must not change. */
export const CREATE_WALLET = 'createWallet';

/** `id` is the id of the wallet and of the workflow. */
export type CreateWalletInput = { readonly orgId: string; readonly id: string };
