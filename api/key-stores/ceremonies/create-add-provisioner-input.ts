import { z } from 'zod';
import { createCeremony } from '../../../application/fleets/create-group';
import { operation } from '../../http/operation';
import { StoreParams } from '../fleets/schemas';
import { Abandons, Archive, INPUT_STATUSES, MemberSerial } from './schemas';

export const createAddProvisionerInput = operation({
  id: 'createAddProvisionerInput',
  method: 'post',
  path: '/key-stores/:storeId/add-provisioner/input',
  tag: 'signers',
  summary: 'Begin to add a provisioner',
  description:
    'A device divides the master secret again among the provisioners and one more. The response is the archive for the device, as text. ' +
    INPUT_STATUSES,
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Fleets:Provisioners:Add',
  userAction: true,
  params: StoreParams,
  query: z.strictObject({}),
  body: z.strictObject({
    kind: z.literal('AddProvisioner'),
    macTargetSerial: MemberSerial.describe('The machine of the new provisioner'),
    hsmTargetSerial: MemberSerial,
    abandons: Abandons,
  }),
  response: Archive,
  handle: ({ params, body, authority }, services) => createCeremony(services, authority, params.storeId, body),
});
