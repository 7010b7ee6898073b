import { z } from 'zod';
import { rejectGroup } from '../../../application/fleets/end-group';
import { operation } from '../../http/operation';
import { FleetGroup, GroupParams, Reason } from './schemas';

export const rejectFleetOperation = operation({
  id: 'rejectFleetOperation',
  method: 'post',
  path: '/key-stores/:storeId/fleet-operations/:groupId/reject',
  tag: 'signers',
  summary: 'Reject the output of a ceremony',
  description:
    'The group becomes `Rejected`; the fleet and the pool of keys stay as they were, and the next archive tells the devices to ' +
    'abandon the manifest. The call returns 403 `Forbidden` for the user who created or submitted the group, who can cancel it, ' +
    'and 409 `WrongState` for a group that is not in review or that is being approved. Emits `fleet.group.rejected`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Review',
  userAction: true,
  params: GroupParams,
  query: z.strictObject({}),
  body: z.strictObject({ reason: Reason }),
  response: FleetGroup,
  handle: ({ params, body, authority }, services) => rejectGroup(services, authority, { ...params, ...body }),
});
