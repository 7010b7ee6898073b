import { networkOf } from '../../chains/networks';
import { invariant } from '../../domain/errors';
import { EVENT_NAMES } from '../../domain/event-names';
import type { MovementKind } from '../../domain/movements';
import type { MovementEntity } from '../../entities/movements/movement.entity';
import { quotesView } from '../outgoing/quote-view';
import { UNREADABLE } from '../wallets/asset-info';

/** A token that does not specify its decimals is counted in whole units (EIP-20: `decimals` is optional). */
const DECIMALS_UNNAMED = 0;

function present<T>(value: T | null, row: MovementEntity): T {
  invariant(value !== null, `the movement ${row.id} has all columns of its kind`);
  return value;
}

const symbolOf = ({ symbol }: MovementEntity): { readonly symbol?: string } => (symbol === null ? {} : { symbol });
const partiesOf = ({ fromAddress, toAddress }: MovementEntity): { readonly from?: string; readonly to?: string } => ({
  ...(fromAddress === null ? {} : { from: fromAddress }),
  ...(toAddress === null ? {} : { to: toAddress }),
});
const tokenOf = (row: MovementEntity) => ({
  contract: present(row.contract, row),
  from: present(row.fromAddress, row),
  to: present(row.toAddress, row),
  ...symbolOf(row),
  verified: row.isVerified,
});
const splOf = (row: MovementEntity) => ({
  mint: present(row.contract, row),
  ...partiesOf(row),
  value: present(row.amountUnits, row),
});

/** `symbol`, `decimals` and `verified` are here for clients that do not read `metadata.asset` yet. */
const VARIANTS = {
  NativeTransfer: (row: MovementEntity) => ({
    kind: 'NativeTransfer' as const,
    ...partiesOf(row),
    symbol: present(row.symbol, row),
    verified: row.isVerified,
    value: present(row.amountUnits, row),
    decimals: present(row.decimals, row),
  }),
  Erc20Transfer: (row: MovementEntity) => ({
    kind: 'Erc20Transfer' as const,
    ...tokenOf(row),
    value: present(row.amountUnits, row),
    decimals: row.decimals ?? DECIMALS_UNNAMED,
  }),
  Erc721Transfer: (row: MovementEntity) => ({
    kind: 'Erc721Transfer' as const,
    ...tokenOf(row),
    tokenId: present(row.tokenId, row),
  }),
  Erc7984Transfer: (row: MovementEntity) => ({
    kind: 'Erc7984Transfer' as const,
    ...tokenOf(row),
    value: UNREADABLE,
    decimals: row.decimals ?? DECIMALS_UNNAMED,
  }),
  SplTransfer: (row: MovementEntity) => ({ kind: 'SplTransfer' as const, ...splOf(row) }),
  Spl2022Transfer: (row: MovementEntity) => ({ kind: 'Spl2022Transfer' as const, ...splOf(row) }),
  UtxoTransfer: (row: MovementEntity) => ({
    kind: 'UtxoTransfer' as const,
    froms: [...present(row.fromAddresses, row)],
    tos: [...present(row.toAddresses, row)],
    value: present(row.amountUnits, row),
  }),
} as const satisfies Readonly<Record<MovementKind, (row: MovementEntity) => { readonly kind: MovementKind }>>;

/** The interface calls this view `BlockchainEvent`. Members without a value are left out, never null. */
export const movementView = (row: MovementEntity) => ({ walletId: row.subjectId, ...membersOf(row) });

/** The interface calls this view the history event of an address watch. */
export const watchedMovementView = (row: MovementEntity) => ({ addressWatchId: row.subjectId, ...membersOf(row) });

function membersOf(row: MovementEntity) {
  const quotes = quotesView(row.quotes);
  const asset = { ...symbolOf(row), ...(row.decimals === null ? {} : { decimals: row.decimals }), verified: row.isVerified };
  return {
    direction: row.direction,
    network: row.network,
    blockNumber: Number(row.blockHeight),
    txHash: row.txHash,
    ...(row.logIndex === null ? {} : { index: row.logIndex }),
    timestamp: row.dateMined.toISOString(),
    status: row.status === 'Confirmed' ? ('Confirmed' as const) : ('Included' as const),
    metadata: { asset: { ...asset, ...(quotes === undefined ? {} : { quotes }) }, ...feeMetadataOf(row) },
    ...(row.feeUnits === null ? {} : { fee: row.feeUnits }),
    ...VARIANTS[row.kind](row),
  };
}

function feeMetadataOf({ network, feeUnits, feeQuotes }: MovementEntity) {
  if (feeUnits === null) return {};
  const quotes = quotesView(feeQuotes);
  return { fee: { ...networkOf(network).nativeAsset, verified: true, ...(quotes === undefined ? {} : { quotes }) } };
}

/**
 * The movement as an event of the chain, without the holder and the network. `index` orders the events of a block: the index of
 * the log or, for a movement without a log, the movement's place in the block.
 */
export function chainEventView(row: MovementEntity) {
  const {
    direction,
    metadata,
    fee,
    kind,
    blockNumber,
    txHash,
    timestamp,
    index,
    status,
    network: _network,
    ...fields
  } = membersOf(row);
  return {
    ...{ id: row.id, name: EVENT_NAMES[row.kind], blockNumber, txHash, index: index ?? row.place, timestamp, status },
    data: { kind, direction, ...withoutDeprecated(fields), metadata, ...(fee === undefined ? {} : { fee }) },
  };
}

function withoutDeprecated(fields: object): Readonly<Record<string, unknown>> {
  const { symbol: _symbol, decimals: _decimals, verified: _verified, ...left } = fields as Readonly<Record<string, unknown>>;
  return left;
}
