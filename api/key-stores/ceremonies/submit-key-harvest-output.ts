import { z } from 'zod';
import { submitOutput } from '../../../application/fleets/submit-output';
import { operation } from '../../http/operation';
import { StoreParams } from '../fleets/schemas';
import { FleetOutputBody, OUTPUT_STATUSES, SUBMITTED, Submitted } from './schemas';

export const submitKeyHarvestOutput = operation({
  id: 'submitKeyHarvestOutput',
  method: 'post',
  path: '/key-stores/:storeId/key-harvest/output',
  tag: 'signers',
  summary: 'Submit the output of a harvest',
  description: OUTPUT_STATUSES,
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Fleets:Keys:Harvest',
  userAction: true,
  file: true,
  params: StoreParams,
  query: z.strictObject({}),
  body: FleetOutputBody,
  response: Submitted,
  handle: async ({ params, body, file, authority }, services) => {
    await submitOutput(services, authority, params.storeId, 'KeyHarvest', { ...body, file });
    return { message: SUBMITTED };
  },
});
