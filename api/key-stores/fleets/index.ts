import type { Operation } from '../../http/operation';
import { approveFleetOperation } from './approve-fleet-operation';
import { cancelFleetOperation } from './cancel-fleet-operation';
import { getFleetOperation } from './get-fleet-operation';
import { getFleetOperationArchive } from './get-fleet-operation-archive';
import { listFleetOperations } from './list-fleet-operations';
import { rejectFleetOperation } from './reject-fleet-operation';

export const fleetOperations: readonly Operation[] = [
  cancelFleetOperation,
  listFleetOperations,
  getFleetOperation,
  getFleetOperationArchive,
  approveFleetOperation,
  rejectFleetOperation,
];
