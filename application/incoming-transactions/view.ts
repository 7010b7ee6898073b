import type { IncomingTransactionEntity } from '../../entities/incoming-transactions/incoming-transaction.entity';

/** The interface calls this view `BlockchainEvent`. Members without a value are left out, never null. */
export function blockchainEventView(row: IncomingTransactionEntity) {
  const { walletId, network, txHash, fromAddress, toAddress, contract, decimals } = row;
  const symbol = row.symbol ?? undefined;
  return {
    kind: contract === null ? ('NativeTransfer' as const) : ('Erc20Transfer' as const),
    ...(contract === null ? {} : { contract }),
    walletId,
    direction: 'In' as const,
    network,
    blockNumber: Number(row.blockNumber),
    txHash,
    index: row.indexInTx,
    timestamp: row.dateDetected.toISOString(),
    ...(fromAddress === null ? {} : { from: fromAddress }),
    to: toAddress,
    value: row.amountUnits,
    ...(symbol === undefined ? {} : { symbol }),
    decimals,
    metadata: { asset: { ...(symbol === undefined ? {} : { symbol }), decimals } },
  };
}
