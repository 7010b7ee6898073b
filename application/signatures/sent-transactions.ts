import type { NetworkName } from '../../domain/networks';
import type { Tx } from '../../entities/database';
import type { MovementEntity } from '../../entities/movements/movement.entity';
import { movementStore } from '../../entities/movements/movement.store';
import { signatureStore } from '../../entities/signatures/signature.store';
import { emitSignature } from './events';

type Final = Pick<MovementEntity, 'txHash' | 'dateMined'>;

const REVERTED = 'The transaction was included and reverted';

/** Confirms the signatures of the transactions to which these final movements belong. */
export async function confirmSent(tx: Tx, network: NetworkName, movements: readonly Final[]): Promise<void> {
  const byHash = new Map(movements.map((movement) => [movement.txHash, movement]));
  const sent = await signatureStore.lockSent(tx, network, 'Signed', [...byHash.keys()]);
  if (sent.length === 0) return;
  const dateConfirmed = await tx.clock();
  for (const row of sent) {
    const movement = byHash.get(row.txHash ?? '');
    if (!movement) continue;
    const paid = await movementStore.paidFor(tx, network, movement);
    const confirmed = await signatureStore.move(tx, row, 'Confirmed', {
      feeUnits: paid?.feeUnits ?? null,
      dateConfirmed,
      reason: paid?.isReverted ? REVERTED : null,
    });
    await emitSignature(tx, confirmed);
  }
}

/** Undoes `confirmSent` for transactions that a reorganisation has removed from the chain (S14). */
export async function reopenSent(tx: Tx, network: NetworkName, movements: readonly Final[]): Promise<void> {
  const hashes = [...new Set(movements.map(({ txHash }) => txHash))];
  for (const row of await signatureStore.lockSent(tx, network, 'Confirmed', hashes))
    await emitSignature(tx, await signatureStore.reopen(tx, row), 'wallet.signature.reversed');
}
