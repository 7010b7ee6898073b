import { CHAINS } from '../../application/hash-chains/chains';
import type { DutyResult } from '../../domain/housekeeping';
import { isId } from '../../domain/ids';
import type { UnwitnessedChain } from '../../entities/housekeeping/chains-of-all';
import type { CheckpointWitness, Witnessed } from '../../platform/checkpoint-witness';
import { type DutyParts, ROWS_MAX, resultOf } from './duty';

export type WitnessParts = { readonly witness: CheckpointWitness | undefined };
type Waiting = UnwitnessedChain & { readonly sequence: number; readonly witnessed: Witnessed };

/**
 * Sends the newest checkpoint of each chain to the witness, a place outside the service. This checkpoint also proves all earlier
 * items. If the witness does not respond, everything else continues, an alert fires, and the next run sends the checkpoint
 * again.
 */
export function createWitnessDuty({ db, housekeeping, witness, logger }: DutyParts & WitnessParts) {
  const newestOf = async ({ orgId, id: chain }: UnwitnessedChain): Promise<Waiting[]> => {
    // The id becomes the name of a file. A row that the service did not write could contain any path.
    if (!isId('organization', orgId)) return [];
    const [checkpoint] = await CHAINS[chain].store.checkpoints(db.read(orgId), { before: undefined, limit: 1 });
    if (!checkpoint) return [];
    const { sequence, statement, signature } = checkpoint;
    return [{ orgId, id: chain, sequence, witnessed: { orgId, chain, statement, signature } }];
  };

  return async (after: string | undefined): Promise<DutyResult> => {
    if (!witness) return { looked: 0, done: 0 };
    const rows = await housekeeping.unwitnessedChains(after, ROWS_MAX);
    const waiting = (await Promise.all(rows.map(newestOf))).flat();
    if (waiting.length === 0) return resultOf(rows, 0);
    try {
      await witness.keep(waiting.map(({ witnessed }) => witnessed));
    } catch (err) {
      logger.error({ err, count: waiting.length }, 'the witness does not acknowledge checkpoints: they wait for the next minute');
      return { looked: rows.length, done: 0 };
    }
    for (const { orgId, id: chain, sequence } of waiting)
      await db.withOrg(orgId, (tx) => CHAINS[chain].store.acknowledge(tx, sequence));
    return resultOf(rows, waiting.length);
  };
}
