import type { ContractEventEntity } from '../../entities/contract-events/contract-event.entity';

/** Has the same members as `chainEventView`, the view of a movement. */
export const contractEventView = ({ id, name, blockHeight, txHash, logIndex, dateMined, status, data }: ContractEventEntity) => ({
  ...{ id, name, blockNumber: Number(blockHeight), txHash, index: logIndex, timestamp: dateMined.toISOString() },
  status: status === 'Confirmed' ? ('Confirmed' as const) : ('Included' as const),
  data,
});
