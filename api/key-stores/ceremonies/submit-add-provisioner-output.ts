import { z } from 'zod';
import { submitOutput } from '../../../application/fleets/submit-output';
import { operation } from '../../http/operation';
import { StoreParams } from '../fleets/schemas';
import { FleetOutputBody, OUTPUT_STATUSES, SUBMITTED, Submitted } from './schemas';

export const submitAddProvisionerOutput = operation({
  id: 'submitAddProvisionerOutput',
  method: 'post',
  path: '/key-stores/:storeId/add-provisioner/output',
  tag: 'signers',
  summary: 'Submit the output of an added provisioner',
  description: OUTPUT_STATUSES,
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Fleets:Provisioners:Add',
  userAction: true,
  file: true,
  params: StoreParams,
  query: z.strictObject({}),
  body: FleetOutputBody,
  response: Submitted,
  handle: async ({ params, body, file, authority }, services) => {
    await submitOutput(services, authority, params.storeId, 'AddProvisioner', { ...body, file });
    return { message: SUBMITTED };
  },
});
