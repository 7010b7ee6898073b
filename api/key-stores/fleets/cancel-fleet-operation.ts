import { z } from 'zod';
import { cancelGroup } from '../../../application/fleets/end-group';
import { operation } from '../../http/operation';
import { FleetGroup, Reason, StoreParams } from './schemas';

export const cancelFleetOperation = operation({
  id: 'cancelFleetOperation',
  method: 'post',
  path: '/key-stores/:storeId/fleet-operations/cancel',
  tag: 'signers',
  summary: 'Cancel a group of fleet operations',
  description:
    'The group becomes `Canceled`, and the service never accepts an output of it. The call returns 404 `NotFound` for a group of ' +
    'another key store, and 409 `WrongState` for a group that has ended or that is being approved. Emits ' +
    '`fleet.group.canceled`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Cancel',
  userAction: true,
  params: StoreParams,
  query: z.strictObject({}),
  body: z.strictObject({ groupId: z.string().min(1).max(64), reason: Reason }),
  response: FleetGroup,
  handle: ({ params: { storeId }, body, authority }, services) => cancelGroup(services, authority, { storeId, ...body }),
});
