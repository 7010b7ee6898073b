import { z } from 'zod';
import { createCeremony } from '../../../application/fleets/create-group';
import { operation } from '../../http/operation';
import { StoreParams } from '../fleets/schemas';
import { Abandons, Archive, INPUT_STATUSES, MemberSerial } from './schemas';

export const createCloneInput = operation({
  id: 'createCloneInput',
  method: 'post',
  path: '/key-stores/:storeId/clone/input',
  tag: 'signers',
  summary: 'Begin the clone of a device',
  description:
    'A device of the fleet passes the master secret to a new device, which proves keys that the archive challenges. The response is the archive for the device, as text. ' +
    INPUT_STATUSES,
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Fleets:Clone',
  userAction: true,
  params: StoreParams,
  query: z.strictObject({}),
  body: z.strictObject({
    kind: z.literal('Clone'),
    hsmSourceSerial: MemberSerial,
    hsmTargetSerial: MemberSerial,
    abandons: Abandons,
  }),
  response: Archive,
  handle: ({ params, body, authority }, services) => createCeremony(services, authority, params.storeId, body),
});
