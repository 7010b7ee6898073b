import { randomBytes } from 'node:crypto';
import type { Database } from '../../entities/database';
import { movementStore, type NewMovement } from '../../entities/movements/movement.store';
import { derivedId } from '../../platform/ids';

export type WrittenMovement = Partial<NewMovement> & { readonly subjectId: string };

/** Each movement gets its own block, in the order of the list. The blocks are an hour apart. */
const FIRST_BLOCK = 1_000;
const START = new Date('2026-03-01T00:00:00Z').getTime();
const HOUR_MS = 3_600_000;

/** Writes movements as the scanner does. */
export function writeMovements(db: Database, orgId: string, movements: readonly WrittenMovement[]): Promise<NewMovement[]> {
  const rows = movements.map((set, at): NewMovement => {
    const txHash = `0x${randomBytes(32).toString('hex')}`;
    return {
      id: derivedId('movement', [txHash]),
      ...{ network: 'EthereumSepolia', direction: 'In', kind: 'NativeTransfer', txHash, ordinal: 'value', place: '0' },
      ...{ blockHeight: String(FIRST_BLOCK + at), blockHash: `0x${'ab'.repeat(32)}`, dateMined: new Date(START + at * HOUR_MS) },
      ...{ logIndex: null, contract: null, tokenId: null, amountUnits: '7', feeUnits: null, symbol: 'ETH', decimals: 18 },
      ...{ fromAddress: '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1', toAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' },
      ...{ fromAddresses: null, toAddresses: null, isVerified: true, isReverted: false, quotes: null, feeQuotes: null },
      ...set,
    };
  });
  return db.withOrg(orgId, async (tx) => {
    await movementStore.put(tx, rows);
    return rows;
  });
}
