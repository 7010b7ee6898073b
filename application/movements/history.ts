import { findNetwork, whyUnread } from '../../chains/networks';
import type { Caller } from '../../domain/callers';
import { assertTierHas } from '../../domain/capability-tiers';
import { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import type { NetworkName } from '../../domain/networks';
import type { Reader } from '../../entities/database';
import type { MovementEntity } from '../../entities/movements/movement.entity';
import {
  type DateCursor,
  type MovementCursor,
  type MovementFilter,
  movementStore,
} from '../../entities/movements/movement.store';
import type { ExportList } from '../resumable-export';
import { walletOf } from '../wallets/wallets';

/** The maximum number of rows in one export, as in the published interface. */
export const EXPORT_ROWS_MAX = 100_000;

export type History = { readonly network: NetworkName; readonly rows: readonly MovementEntity[] };
export type HistoryFilter = Omit<MovementFilter, 'after'> & { readonly after?: string | undefined };

/**
 * Newest first, at most `rowsMax`. Throws `NotFound` for a wallet that the caller does not see, and for a network whose nodes do
 * not report blocks. Throws `NetworkNotEnabled` for a network whose blocks this service does not read.
 */
export async function walletHistory(
  reader: Reader,
  caller: Caller,
  walletId: string,
  filter: HistoryFilter,
  rowsMax: number,
): Promise<History> {
  const { wallet } = await walletOf(reader, caller, walletId);
  return historyOf(reader, wallet, 'Wallets', filter, rowsMax);
}

/** Throws the errors of `walletHistory`, except the error for an unknown id. Error messages begin with `whose`. */
export async function historyOf(
  reader: Reader,
  { id, network: name }: { readonly id: string; readonly network: string },
  whose: string,
  { after, ...filter }: HistoryFilter,
  rowsMax: number,
): Promise<History> {
  const network = assertRead(name, whose);
  return { network, rows: await movementStore.list(reader, id, { ...filter, after: cursorOf(after) }, rowsMax) };
}

/** Throws `NotFound` or `NetworkNotEnabled`, with the reason, for a network without history. */
export function assertRead(name: string, whose = 'Wallets'): NetworkName {
  const network = findNetwork(name);
  if (!network) throw new AppError('NetworkNotEnabled', `${whose} on ${name} have no history here`, { network: name });
  assertTierHas(network, 'IncomingPayments');
  const why = whyUnread(network);
  if (why !== undefined)
    throw new AppError('NetworkNotEnabled', `${whose} on ${name} have no history here: ${why}`, { network: name });
  return network.name;
}

export const pageKeyOf = ({ blockHeight, place, id }: Pick<MovementEntity, 'blockHeight' | 'place' | 'id'>): string =>
  `${blockHeight}.${place}.${id}`;

const PLACE = /^(\d{1,16})\.(\d{1,16})\.(ce-[a-z0-9-]{1,40})$/;
const MOMENT = /^(\d{1,15})\.(wa-[a-z0-9-]{1,40})\.(ce-[a-z0-9-]{1,40})$/;

const notOfThisList = () =>
  fieldFault('query.paginationToken', 'does not belong to this list', { code: 'InvalidPaginationToken', cause: undefined });

export function cursorOf(after: string | undefined): MovementCursor | undefined {
  if (after === undefined) return undefined;
  const [, height, place, id] = PLACE.exec(after) ?? [];
  if (height === undefined || place === undefined || id === undefined) throw notOfThisList();
  return { height, place, id };
}

const COLUMNS = [
  ...([
    'timestamp',
    'walletId',
    'network',
    'direction',
    'from',
    'to',
    'amount',
    'tokenId',
    'asset',
    'symbol',
    'decimals',
  ] as const),
  ...(['fee', 'feeSymbol', 'feeDecimals', 'txHash'] as const),
];
export type HistoryLine = { readonly [C in (typeof COLUMNS)[number]]?: string } & Pick<
  MovementEntity,
  'network' | 'direction' | 'txHash'
> &
  Readonly<Record<'timestamp' | 'walletId', string>>;

/** The movements of all wallets in a period, oldest first. */
export const ALL_HISTORY: ExportList<DateCursor, MovementEntity> = {
  name: 'history',
  columns: COLUMNS,
  rowsMax: EXPORT_ROWS_MAX,
  count: movementStore.countBetween,
  page: movementStore.listBetween,
  lineOf: (row) => historyLine(row),
  keyOf: ({ dateMined, subjectId, id }) => `${dateMined.getTime()}.${subjectId}.${id}`,
  cursorOf: (key) => {
    const [, date, subjectId, id] = MOMENT.exec(key) ?? [];
    return date === undefined || subjectId === undefined || id === undefined
      ? undefined
      : { dateMined: new Date(Number(date)), subjectId, id };
  },
};

export function historyLine(row: MovementEntity): HistoryLine {
  const native = findNetwork(row.network)?.nativeAsset;
  const fee =
    row.feeUnits === null || !native ? {} : { fee: row.feeUnits, feeSymbol: native.symbol, feeDecimals: String(native.decimals) };
  return {
    timestamp: row.dateMined.toISOString(),
    ...{ walletId: row.subjectId, network: row.network, direction: row.direction, txHash: row.txHash },
    ...(row.fromAddress === null ? {} : { from: row.fromAddress }),
    ...(row.toAddress === null ? {} : { to: row.toAddress }),
    ...(row.amountUnits === null ? {} : { amount: row.amountUnits }),
    ...(row.tokenId === null ? {} : { tokenId: row.tokenId }),
    asset: row.contract ?? 'Native',
    ...(row.symbol === null ? {} : { symbol: row.symbol }),
    ...(row.decimals === null ? {} : { decimals: String(row.decimals) }),
    ...fee,
  };
}
