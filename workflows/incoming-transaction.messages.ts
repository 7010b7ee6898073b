/** The workflow's type name: histories hold it. */
export const INCOMING_TRANSACTION = 'incomingTransaction';

export type IncomingTransactionInput = { readonly orgId: string; readonly id: string };
