import { invariant } from '../../domain/errors';
import type { PaymentKind } from '../../domain/movements';
import type { IncomingTransactionEntity } from '../../entities/incoming-transactions/incoming-transaction.entity';

type Row = IncomingTransactionEntity;

const symbolOf = ({ symbol }: Row): { readonly symbol?: string } => (symbol === null ? {} : { symbol });

function tokenOf({ id, contract }: Row): string {
  invariant(contract !== null, `the incoming transaction ${id} names its token`);
  return contract;
}

const partiesOf = ({ fromAddress, toAddress }: Row) => ({
  ...(fromAddress === null ? {} : { from: fromAddress }),
  to: toAddress,
});
const splOf = (row: Row) => ({ mint: tokenOf(row), ...partiesOf(row) });

/** `symbol` and `decimals` are here for clients that do not read `metadata.asset` yet. */
const VARIANTS = {
  NativeTransfer: (row: Row) => ({
    kind: 'NativeTransfer' as const,
    ...partiesOf(row),
    ...symbolOf(row),
    decimals: row.decimals,
  }),
  Erc20Transfer: (row: Row) => ({
    kind: 'Erc20Transfer' as const,
    ...{ contract: tokenOf(row), ...partiesOf(row), ...symbolOf(row), decimals: row.decimals },
  }),
  SplTransfer: (row: Row) => ({ kind: 'SplTransfer' as const, ...splOf(row) }),
  Spl2022Transfer: (row: Row) => ({ kind: 'Spl2022Transfer' as const, ...splOf(row) }),
  UtxoTransfer: (row: Row) => ({ kind: 'UtxoTransfer' as const, froms: [...(row.fromAddresses ?? [])], tos: [row.toAddress] }),
} as const satisfies Readonly<Record<PaymentKind, (row: Row) => { readonly kind: PaymentKind }>>;

/** The interface calls this view `BlockchainEvent`. Members without a value are left out, never null. */
export function blockchainEventView(row: Row) {
  const { walletId, network, txHash, contract, decimals } = row;
  const kind = row.kind ?? (contract === null ? 'NativeTransfer' : 'Erc20Transfer');
  return {
    ...VARIANTS[kind](row),
    walletId,
    direction: 'In' as const,
    network,
    blockNumber: Number(row.blockNumber),
    txHash,
    ...(row.logIndex === null ? {} : { index: row.logIndex }),
    timestamp: row.dateDetected.toISOString(),
    value: row.amountUnits,
    metadata: { asset: { ...symbolOf(row), decimals } },
  };
}
