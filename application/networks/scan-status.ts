import { findNetwork, whyUnread } from '../../chains/networks';
import type { Network } from '../../chains/types';
import { AppError } from '../../domain/errors';
import type { BlockProof } from '../../domain/movements';
import type { Database } from '../../entities/database';
import { type KeptBlock, type Scan, scanStore } from '../../entities/scans/scan.store';
import { whyUnswept } from '../movements/families';
import { NO_ORGANIZATION } from '../wallets/assets';

type Place = { readonly height: number; readonly hash: string };

export type ScanStatus = {
  readonly network: string;
  readonly isRead: boolean;
  readonly whyNot?: string;
  readonly scan?: {
    readonly firstBlock: number;
    readonly scannedTo: Place;
    readonly confirmedTo: number;
    readonly headBlock: number;
    readonly behindBlocks: number;
    readonly lastProof?: BlockProof;
    readonly blocks: number;
    readonly withoutRoot: number;
    readonly withoutTraces: number;
    readonly isComplete: boolean;
    readonly balances: {
      readonly areCompared: boolean;
      readonly whyNot?: string;
      readonly comparedTo?: number;
      readonly differences: number;
    };
  };
};

type Summary = NonNullable<ScanStatus['scan']>;

/** `scan` is absent until the network has its first wallet. Throws `NotFound` for a network without a record. */
export async function scanStatus(db: Database, name: string): Promise<ScanStatus> {
  const network = findNetwork(name);
  if (!network) throw new AppError('NotFound', 'network not found', { network: name });
  const whyNot = whyUnread(network);
  if (whyNot !== undefined) return { network: name, isRead: false, whyNot };
  const reader = db.read(NO_ORGANIZATION);
  const [scan, kept] = await Promise.all([scanStore.find(reader, network.name), scanStore.keptBlocks(reader, network.name)]);
  return {
    network: name,
    isRead: true,
    ...(scan === undefined ? {} : { scan: { ...summaryOf(scan, kept), balances: balancesOf(network, scan) } }),
  };
}

function balancesOf(network: Network, { sweptHeight, unexplained }: Scan): Summary['balances'] {
  const whyNot = whyUnswept(network);
  return {
    areCompared: whyNot === undefined,
    ...(whyNot === undefined ? {} : { whyNot }),
    ...(sweptHeight === null ? {} : { comparedTo: sweptHeight }),
    differences: unexplained,
  };
}

function summaryOf(scan: Scan, kept: readonly KeptBlock[]): Omit<Summary, 'balances'> {
  const read = kept.filter(({ state }) => state === 'Read');
  const last = read.at(-1);
  const lastProof = last === undefined ? {} : { lastProof: last.proof };
  const scannedTo = { height: last?.height ?? scan.folded.height, hash: last?.hash ?? scan.folded.hash };
  return {
    ...{ firstBlock: scan.firstHeight, scannedTo },
    confirmedTo: scan.confirmedHeight,
    headBlock: scan.headHeight,
    behindBlocks: Math.max(0, scan.headHeight - scannedTo.height),
    ...lastProof,
    blocks: scan.foldedBlocks + read.length,
    withoutRoot: scan.foldedUnproved + read.filter(({ proof }) => proof !== 'Root').length,
    withoutTraces: scan.foldedUntraced + read.filter(({ sight }) => sight === 'Transactions').length,
    isComplete: isComplete(scan, read),
  };
}

/**
 * True if each kept block is the child of the block before it, and if the removed older blocks account for every height,
 * including skipped heights.
 */
function isComplete({ firstHeight, folded, foldedHeights }: Scan, read: readonly KeptBlock[]): boolean {
  const before = [folded, ...read];
  const isLinked = read.every(
    ({ parentHeight, parentHash }, at) => before[at]?.height === parentHeight && before[at].hash === parentHash,
  );
  return isLinked && foldedHeights === folded.height - firstHeight + 1;
}
