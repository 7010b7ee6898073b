import { z } from 'zod';
import { archiveOfGroup } from '../../../application/fleets/archive';
import { operation } from '../../http/operation';
import { GroupParams } from './schemas';

export const getFleetOperationArchive = operation({
  id: 'getFleetOperationArchive',
  method: 'get',
  path: '/key-stores/:storeId/fleet-operations/:groupId/archive',
  tag: 'signers',
  summary: 'Download the archive of a group again',
  description:
    'The archive is a text, the same bytes on each call. The call returns 404 `NotFound` for a group of another key store, 409 ' +
    '`WrongState` for a group that ended before its archive was made, and 503 `NotReady` while the archive is being made.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Read',
  userAction: false,
  params: GroupParams,
  query: z.strictObject({}),
  body: z.undefined(),
  response: z.string(),
  handle: ({ params: { storeId, groupId }, authority }, { db }) =>
    archiveOfGroup(db.read(authority.caller.orgId), storeId, groupId),
});
