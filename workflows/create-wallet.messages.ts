/** The workflow's type name: outbox rows and histories hold it. */
export const CREATE_WALLET = 'createWallet';

/** `id` is the wallet's id, which is also the workflow's. */
export type CreateWalletInput = { readonly orgId: string; readonly id: string };
