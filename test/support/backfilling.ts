import { createBackfill } from '../../activities/backfills/backfill';
import type { BackfillEntity } from '../../entities/backfills/backfill.entity';
import { backfillStore, type NewBackfill } from '../../entities/backfills/backfill.store';
import type { Database } from '../../entities/database';
import { watchedAddressStore } from '../../entities/scans/watched-address.store';
import { newId } from '../../platform/ids';
import { SCANNED } from './scanning';
import type { ScriptedBlocks } from './scripted-blocks';

type Parts = Parameters<typeof createBackfill>[0];

/** A back-fill that finds only the native asset, and blocks without signatures. `parts` replaces these parts. */
export const backfillOver = (db: Database, chain: ScriptedBlocks, parts: Partial<Parts> = {}) => {
  const all: Parts = {
    ...{ db, network: SCANNED, source: chain.source, gateway: chain.gateway },
    assetOf: async () => ({ ...SCANNED.nativeAsset, verified: true }),
    signer: { wasSigned: () => Promise.reject(new Error('the blocks of this test have no signatures')) },
    onForeign: () => undefined,
    ...parts,
  };
  return (orgId: string, id: string) => createBackfill(all, orgId, id);
};

export type Asked = Partial<Pick<NewBackfill, 'fromHeight' | 'fromDate' | 'joins' | 'cause'>>;

export async function addBackfill(db: Database, orgId: string, subjectId: string, asked: Asked): Promise<string> {
  const id = newId('backfill');
  const fixed = { id, subjectId, network: SCANNED.name, requestedBy: null };
  const range = { fromHeight: null, fromDate: null, joins: null, cause: 'Requested' as const };
  if (!(await db.withOrg(orgId, (tx) => backfillStore.add(tx, { ...fixed, ...range, ...asked }))))
    throw new Error('another back-fill is running');
  return id;
}

/** Steps until the back-fill ends or waits. Returns whether it is over. */
export async function runBackfill(backfill: ReturnType<typeof createBackfill>): Promise<boolean> {
  for (;;) {
    const { isOver, waitMs } = await backfill.step();
    if (isOver || waitMs > 0) return isOver;
  }
}

export async function backfillRow(db: Database, orgId: string, id: string): Promise<BackfillEntity> {
  const row = await backfillStore.find(db.read(orgId), id);
  if (!row) throw new Error('the back-fill has no row');
  return row;
}

export const liveFromOf = (db: Database, orgId: string, subjectId: string) =>
  watchedAddressStore.liveFrom(db.read(orgId), subjectId);
