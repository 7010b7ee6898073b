import { z } from 'zod';
import { readGroup } from '../../../application/fleets/read-groups';
import { operation } from '../../http/operation';
import { FleetGroupDetails, GroupParams } from './schemas';

export const getFleetOperation = operation({
  id: 'getFleetOperation',
  method: 'get',
  path: '/key-stores/:storeId/fleet-operations/:groupId',
  tag: 'signers',
  summary: 'Read one group of fleet operations',
  description:
    'Once an output is accepted, `proposal` shows what the reviewer compares with the paper of the ceremony. The call returns ' +
    '404 `NotFound` for a group of another key store.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Read',
  userAction: false,
  params: GroupParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: FleetGroupDetails,
  handle: ({ params: { storeId, groupId }, authority }, { db }) => readGroup(db.read(authority.caller.orgId), storeId, groupId),
});
