import { z } from 'zod';
import { submitSigning } from '../../../application/fleets/submit-signing';
import { operation } from '../../http/operation';
import { StoreParams } from '../fleets/schemas';
import { FleetSignOutputBody, SignOutputAnswer } from './schemas';

export const submitOnchainSignOutput = operation({
  id: 'submitOnchainSignOutput',
  method: 'post',
  path: '/key-stores/:storeId/onchain-sign/output',
  tag: 'signers',
  summary: 'Submit the signatures of an offline device',
  description:
    'The user action signs the part `data`, which contains the checksum of `file`. The service verifies every signature, then the ' +
    'group is `Approved` and the signed requests continue; `partial` means that some requests have no signature and wait for the ' +
    'next group. An output with a fault is refused with 400 `FleetOutputInvalid`, whose `details.check` names the failed check, ' +
    'and the group then accepts another output; an output without any signature ends the group as `Canceled`, and the call ' +
    'returns 409 `NothingSigned`. The call returns 404 `NotFound` for a key store that is not an offline store of the ' +
    'organisation, 409 `Conflict` while another output of the group is being verified, and 409 `WrongState` if no open group ' +
    'waits for an output. Emits `fleet.group.approved` or `fleet.group.canceled`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Keys:Sign',
  userAction: true,
  file: true,
  params: StoreParams,
  query: z.strictObject({}),
  body: FleetSignOutputBody,
  response: SignOutputAnswer,
  handle: async ({ params, body, file, authority }, services) => ({
    status: await submitSigning(services, authority, params.storeId, 'OnchainSign', { ...body, file }),
  }),
});
