/** Histories contain the name, so the name must not change. */
export const INCOMING_TRANSACTION = 'incomingTransaction';

export type IncomingTransactionInput = { readonly orgId: string; readonly id: string };
