import type { TransactionRequest } from '../family-forms';
import type { EvmTransactionRequest } from './transaction';

const KINDS: Readonly<Record<EvmTransactionRequest['kind'], true>> = {
  Transaction: true,
  Eip1559: true,
  Evm: true,
  FunctionCall: true,
};

export const isEvmRequest = (
  request: TransactionRequest,
): request is Extract<TransactionRequest, { readonly kind: EvmTransactionRequest['kind'] }> => request.kind in KINDS;
