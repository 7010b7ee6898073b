import { networkOf, whyNotBackfilled } from '../../chains/networks';
import { BACKFILL_BLOCKS_MAX, BACKFILLS_RUNNING_MAX } from '../../domain/backfills';
import type { Caller } from '../../domain/callers';
import { AppError } from '../../domain/errors';
import type { NetworkName } from '../../domain/networks';
import type { AddressWatchEntity } from '../../entities/address-watches/address-watch.entity';
import { backfillStore } from '../../entities/backfills/backfill.store';
import type { Reader, Tx } from '../../entities/database';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import { watchedAddressStore } from '../../entities/scans/watched-address.store';
import { addressWatchOf } from '../address-watches/address-watches';
import { assertRead } from '../movements/history';
import { badField } from '../request-faults';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { usableOf, walletOf } from '../wallets/wallets';
import { startBackfill } from './start-backfill';
import { type BackfillView, backfillView } from './view';

type Subject<N extends string = string> = { readonly id: string; readonly network: N };
type WatchedNetwork = AddressWatchEntity['network'];
/** Exactly one member is given. */
export type BackfillRange = { readonly fromBlock?: number | undefined; readonly fromDate?: Date | undefined };
export type HistoryCoverage = { readonly liveFromBlock?: number; readonly backfill?: BackfillView };

/** Throws `NotFound`, and `WrongState` for an archived watch. */
async function activeWatch(reader: Reader, id: string): Promise<Subject<WatchedNetwork>> {
  const watch = await addressWatchOf(reader, id);
  if (watch.status === 'Archived') throw new AppError('WrongState', 'the address watch is archived', { addressWatchId: id });
  return watch;
}

/** Throws the errors of `walletOf` and `usableOf`, and those of `request`. */
export const backfillWallet = (services: Needed, authority: Authority, walletId: string, range: BackfillRange) =>
  request(services, authority, range, 'Wallets', async (tx) => usableOf((await walletOf(tx, authority.caller, walletId)).wallet));

/** Throws `NotFound`, `WrongState` for an archived watch, and the errors of `request`. */
export const backfillAddressWatch = (services: Needed, authority: Authority, watchId: string, range: BackfillRange) =>
  request(services, authority, range, 'Watches', (tx) => activeWatch(tx, watchId));

type Needed = Pick<Services, 'db' | 'dispatcher'>;

/**
 * Starts a back-fill. Throws `NetworkNotEnabled` on a network whose earlier blocks are not read, and `InvalidRequest` for an
 * unusable range. Throws `WrongState` if no block has been read for the subject yet. Throws `Conflict` while another back-fill
 * for the subject, or too many back-fills for the organisation, are running.
 */
async function request<N extends NetworkName>(
  { db, dispatcher }: Needed,
  authority: Authority,
  range: BackfillRange,
  whose: string,
  subjectIn: (tx: Tx) => Promise<Subject<N>>,
): Promise<Subject<N> & HistoryCoverage> {
  const { orgId, userId } = authority.caller;
  const { start, ...result } = await act(db, authority, async (tx) => {
    const { id, network } = await subjectIn(tx);
    const name = assertRead(network, whose);
    const why = whyNotBackfilled(networkOf(name));
    if (why !== undefined) throw new AppError('NetworkNotEnabled', why, { network });
    const address = await watchedAddressStore.lock(tx, id);
    if (address?.liveFrom == null)
      throw new AppError('WrongState', 'no block has been read for this address yet: try again later', { network });
    assertUsable(range, Number(address.liveFrom), await tx.clock());
    if ((await backfillStore.countRunning(tx)) >= BACKFILLS_RUNNING_MAX)
      throw new AppError('Conflict', `the organisation has ${BACKFILLS_RUNNING_MAX} running back-fills already`);
    const start = await startBackfill(tx, {
      ...{ subjectId: id, network: name, cause: 'Requested', joins: null, requestedBy: userId },
      fromHeight: range.fromBlock === undefined ? null : String(range.fromBlock),
      fromDate: range.fromDate ?? null,
    });
    if (!start) throw new AppError('Conflict', 'another back-fill of this address is running');
    return { id, network, ...(await coverageOf(tx, id)), start };
  });
  // The call is not awaited, because the row is committed. If the call fails, the relay starts the workflow.
  void dispatcher.tryNow(orgId, start satisfies Dispatch);
  return result;
}

function assertUsable({ fromBlock, fromDate }: BackfillRange, liveFrom: number, now: Date): void {
  if (fromDate !== undefined && fromDate >= now) throw badField('fromDate', 'must be in the past');
  if (liveFrom === 0) throw badField('fromBlock', 'the history is complete from the first block of the network on');
  if (fromBlock === undefined) return;
  if (fromBlock >= liveFrom)
    throw badField('fromBlock', `must be before ${liveFrom}, from which the history is complete already`);
  if (liveFrom - fromBlock > BACKFILL_BLOCKS_MAX)
    throw badField(
      'fromBlock',
      `must be at least ${liveFrom - BACKFILL_BLOCKS_MAX}: one back-fill reads ${BACKFILL_BLOCKS_MAX} blocks`,
    );
}

async function coverageOf(reader: Reader, id: string): Promise<HistoryCoverage> {
  const [liveFrom, latest] = await Promise.all([watchedAddressStore.liveFrom(reader, id), backfillStore.latestOf(reader, id)]);
  return {
    ...(liveFrom === undefined ? {} : { liveFromBlock: liveFrom }),
    ...(latest === undefined ? {} : { backfill: backfillView(latest) }),
  };
}

/** Throws the errors of `walletOf`, and `NetworkNotEnabled` for a network whose blocks are not read. */
export async function walletCoverage(
  reader: Reader,
  caller: Caller,
  walletId: string,
): Promise<Subject<NetworkName> & HistoryCoverage> {
  const { wallet } = await walletOf(reader, caller, walletId);
  return { id: wallet.id, network: assertRead(wallet.network), ...(await coverageOf(reader, wallet.id)) };
}

/** Throws `NotFound`. */
export async function watchCoverage(reader: Reader, watchId: string): Promise<Subject<WatchedNetwork> & HistoryCoverage> {
  const { id, network } = await addressWatchOf(reader, watchId);
  return { id, network, ...(await coverageOf(reader, id)) };
}
