import { randomBytes } from 'node:crypto';
import { contractEventStore, type NewContractEvent } from '../../entities/contract-events/contract-event.store';
import type { Database } from '../../entities/database';
import { derivedId } from '../../platform/ids';

export const EMITTER = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
export const APPROVAL = {
  kind: 'ContractEvent',
  contract: EMITTER,
  signature: 'Approval(address,address,uint256)',
  standard: 'ERC-20',
  args: { owner: EMITTER, spender: EMITTER, value: '5' },
} as const;

type WrittenEvent = Partial<NewContractEvent> & Pick<NewContractEvent, 'subjectId' | 'blockHeight'>;

/** Writes events of the name `Approval` as the scanner does. */
export function writeContractEvents(db: Database, orgId: string, events: readonly WrittenEvent[]): Promise<NewContractEvent[]> {
  const rows = events.map((set): NewContractEvent => {
    const txHash = `0x${randomBytes(32).toString('hex')}`;
    return {
      ...{ id: derivedId('movement', [txHash]), network: 'EthereumSepolia', name: 'Approval', txHash, place: '500000' },
      ...{ blockHash: `0x${'ab'.repeat(32)}`, dateMined: new Date('2026-03-01T00:00:00Z'), logIndex: '7', contract: EMITTER },
      data: APPROVAL,
      ...set,
    };
  });
  return db.withOrg(orgId, async (tx) => {
    await contractEventStore.put(tx, rows);
    return rows;
  });
}
