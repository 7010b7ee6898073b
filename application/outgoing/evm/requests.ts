import type { TransactionRequest } from '../family-forms';
import type { EvmTransactionRequest } from './transaction';

const KINDS: Readonly<Record<EvmTransactionRequest['kind'], true>> = {
  Transaction: true,
  Eip1559: true,
  Evm: true,
  FunctionCall: true,
};

/** Whether a body has a kind that an EVM network executes as one transaction. */
export const isEvmRequest = (
  request: TransactionRequest,
): request is Extract<TransactionRequest, { readonly kind: EvmTransactionRequest['kind'] }> => request.kind in KINDS;
