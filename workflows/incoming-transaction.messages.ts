/** The workflow's type name: it stands in histories. */
export const INCOMING_TRANSACTION = 'incomingTransaction';

export type IncomingTransactionInput = { readonly orgId: string; readonly id: string };
