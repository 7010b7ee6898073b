/** The workflow's type name. It must not change, because histories contain it. */
export const INCOMING_TRANSACTION = 'incomingTransaction';

export type IncomingTransactionInput = { readonly orgId: string; readonly id: string };
