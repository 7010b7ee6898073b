import { z } from 'zod';
import { submitOutput } from '../../../application/fleets/submit-output';
import { operation } from '../../http/operation';
import { StoreParams } from '../fleets/schemas';
import { FleetOutputBody, OUTPUT_STATUSES, SUBMITTED, Submitted } from './schemas';

export const submitCloneOutput = operation({
  id: 'submitCloneOutput',
  method: 'post',
  path: '/key-stores/:storeId/clone/output',
  tag: 'signers',
  summary: 'Submit the output of a clone',
  description: OUTPUT_STATUSES,
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Fleets:Clone',
  userAction: true,
  file: true,
  params: StoreParams,
  query: z.strictObject({}),
  body: FleetOutputBody,
  response: Submitted,
  handle: async ({ params, body, file, authority }, services) => {
    await submitOutput(services, authority, params.storeId, 'Clone', { ...body, file });
    return { message: SUBMITTED };
  },
});
