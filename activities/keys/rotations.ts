import { Context } from '@temporalio/activity';
import { AppError } from '../../domain/errors';
import type { RotationRound } from '../../domain/rotations';
import type { Database } from '../../entities/database';
import { type HousekeepingStore, type OpenRow, placeOf } from '../../entities/housekeeping/housekeeping.store';
import { keyStore } from '../../entities/keys/key.store';
import { rotationStore } from '../../entities/keys/rotation.store';
import type { Logger } from '../../platform/logger';
import type { SignerClient } from '../../signer/protocol';

/** One round handles this many rows. An interrupted round repeats its rows and skips the rows that are already done. */
export const ROTATED_AT_ONCE = 100;
/** One run of the workflow renews the data keys of this many organisations. */
const ORGANIZATIONS_AT_ONCE = 20;
/** The limit leaves the signer room for signing requests. */
const PARALLEL_MAX = 4;
/** The interval must stay well below the heartbeat time-out that the workflows set. */
const HEARTBEAT_MS = 5_000;

type Dependencies = {
  readonly db: Database;
  readonly housekeeping: Pick<HousekeepingStore, 'dataKeysNotUnder' | 'organizationsWithKeys'>;
  readonly signer: Pick<SignerClient, 'health' | 'rewrapDek' | 'rewrapJournal' | 'createDek' | 'resealKey'>;
  readonly logger: Logger;
};
type Ref = { readonly orgId: string };
type After = { readonly after?: string };
type Outcome = 'Done' | 'Left' | 'Refused';

function refusal(logger: Logger, error: unknown, orgId: string, recordId: string): Outcome {
  if (!(error instanceof AppError) || error.code !== 'SignerRefused') throw error;
  logger.error({ err: error, orgId, recordId }, 'a stored key does not open: compare it with a backup and the journal');
  return 'Refused';
}

/** Logs and skips a row that the signer refuses, because the row must not block the other rows. */
async function each<R>(
  logger: Logger,
  rows: readonly R[],
  refOf: (row: R) => OpenRow,
  work: (row: R) => Promise<Outcome>,
): Promise<RotationRound> {
  const context = Context.current();
  const heart = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
  const counts = { Done: 0, Left: 0, Refused: 0 };
  const waiting = [...rows];
  const deal = async () => {
    for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
      const { orgId, id } = refOf(row);
      counts[await work(row).catch((error: unknown) => refusal(logger, error, orgId, id))] += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL_MAX }, deal));
  } finally {
    clearInterval(heart);
  }
  return { looked: rows.length, done: counts.Done, refused: counts.Refused };
}

/** Each activity may run any number of times. */
export function createRotationActivities({ db, housekeeping, signer, logger }: Dependencies) {
  return {
    async readActiveKek(): Promise<string> {
      return (await signer.health()).kekId;
    },

    /** The next pass covers rows that change meanwhile. */
    async rewrapDataKeys({ kekId, after }: { readonly kekId: string } & After): Promise<RotationRound> {
      const rows = await housekeeping.dataKeysNotUnder(kekId, after, ROTATED_AT_ONCE);
      const round = await each(
        logger,
        rows,
        (row) => row,
        async ({ orgId, id }) => {
          const dek = await rotationStore.wrapped(db.read(orgId), id);
          if (!dek || dek.kekId === kekId) return 'Left';
          const rewrapped = await signer.rewrapDek({ orgId, dek, kekId });
          return (await db.withOrg(orgId, (tx) => rotationStore.rewrap(tx, dek, rewrapped))) ? 'Done' : 'Left';
        },
      );
      const last = rows.at(-1);
      return last && rows.length === ROTATED_AT_ONCE ? { ...round, next: placeOf(last) } : round;
    },

    /** Returns the number of data keys that still need a rewrap. */
    async rewrapSignerJournal({ kekId }: { readonly kekId: string }): Promise<number> {
      return (await signer.rewrapJournal({ kekId })).left;
    },

    async listKeyOwners({ after }: After): Promise<readonly string[]> {
      return housekeeping.organizationsWithKeys(after, ORGANIZATIONS_AT_ONCE);
    },

    /** Makes one data key per rotation, even if the activity is repeated. */
    async renewDataKey({ orgId, rotationId }: Ref & { readonly rotationId: string }): Promise<void> {
      // An organisation without keys has no data key yet.
      if (!(await keyStore.presentDataKey(db.read(orgId)))) return;
      const dek = await signer.createDek({ requestId: rotationId, orgId });
      await db.withOrg(orgId, (tx) => rotationStore.beginUsing(tx, dek));
    },

    async resealKeys({ orgId, after }: Ref & After): Promise<RotationRound> {
      const reader = db.read(orgId);
      const target = await keyStore.presentDataKey(reader);
      if (!target) return { looked: 0, done: 0, refused: 0 };
      const rows = await rotationStore.keysNotUnder(reader, target.dekId, after, ROTATED_AT_ONCE);
      const round = await each(
        logger,
        rows,
        ({ sealed: { keyId } }) => ({ orgId, id: keyId }),
        async ({ sealed, dek }) => {
          const resealed = await signer.resealKey({ orgId, keyId: sealed.keyId, sealed, dek, target });
          return (await db.withOrg(orgId, (tx) => rotationStore.reseal(tx, sealed, resealed))) ? 'Done' : 'Left';
        },
      );
      const last = rows.at(-1);
      return last && rows.length === ROTATED_AT_ONCE ? { ...round, next: last.sealed.keyId } : round;
    },
  };
}

export type RotationActivities = ReturnType<typeof createRotationActivities>;
