import { z } from 'zod';
import { createSigning } from '../../../application/fleets/create-group';
import { operation } from '../../http/operation';
import { Archive } from '../ceremonies/schemas';
import { StoreParams } from '../fleets/schemas';

export const createOnchainSignInput = operation({
  id: 'createOnchainSignInput',
  method: 'post',
  path: '/key-stores/:storeId/onchain-sign/input',
  tag: 'signers',
  summary: 'Collect the requests that wait for an offline device',
  description:
    'The service checks each waiting request of the key store again, and the signer judges it; the archive contains the requests ' +
    'that may be signed, oldest first and at most 200. The response is the archive for the device, as text. If that takes more ' +
    'than 20 seconds, the call returns 503 `NotReady` with the ID of the group, and `getFleetOperationArchive` returns the archive ' +
    'later. It returns 409 `Conflict` while the key store has an open group, 409 `WrongState` if the key store has no fleet, if no ' +
    'request waits or may be signed at present, or if the signer refuses, and 404 `NotFound` for a key store that is not an ' +
    'offline store of the organisation. Emits `fleet.group.created`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Keys:Sign',
  userAction: true,
  params: StoreParams,
  query: z.strictObject({}),
  body: z.strictObject({}),
  response: Archive,
  handle: ({ params, authority }, services) => createSigning(services, authority, params.storeId),
});
