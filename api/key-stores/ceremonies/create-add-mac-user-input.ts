import { z } from 'zod';
import { createCeremony } from '../../../application/fleets/create-group';
import { operation } from '../../http/operation';
import { StoreParams } from '../fleets/schemas';
import { Abandons, Archive, INPUT_STATUSES, MemberSerial } from './schemas';

export const createAddMacUserInput = operation({
  id: 'createAddMacUserInput',
  method: 'post',
  path: '/key-stores/:storeId/add-mac-user/input',
  tag: 'signers',
  summary: 'Begin to add an operator',
  description:
    'A device registers the machine of a further operator. The response is the archive for the device, as text. ' +
    INPUT_STATUSES,
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Fleets:Users:Add',
  userAction: true,
  params: StoreParams,
  query: z.strictObject({}),
  body: z.strictObject({
    kind: z.literal('AddMacUser'),
    macTargetSerial: MemberSerial.describe('The machine of the new operator'),
    hsmTargetSerial: MemberSerial,
    abandons: Abandons,
  }),
  response: Archive,
  handle: ({ params, body, authority }, services) => createCeremony(services, authority, params.storeId, body),
});
