import { z } from 'zod';
import { submitSigning } from '../../../application/fleets/submit-signing';
import { operation } from '../../http/operation';
import { StoreParams } from '../fleets/schemas';
import { FleetSignOutputBody, SignOutputAnswer } from './schemas';

export const submitProofOfControlOutput = operation({
  id: 'submitProofOfControlOutput',
  method: 'post',
  path: '/key-stores/:storeId/proof-of-control/output',
  tag: 'signers',
  summary: 'Submit proofs of control from an offline device',
  description:
    'The user action signs the part `data`, which contains the checksum of `file`. The service and the signer verify every proof, ' +
    'then the group is `Approved`, and `proofs` of `getFleetOperation` contains the proofs; `partial` means that some wallets ' +
    'have none. An output with a fault is refused with 400 `FleetOutputInvalid`, whose `details.check` names the failed check, ' +
    'and the group then accepts another output; an output without any proof ends the group as `Canceled`, and the call returns ' +
    '409 `NothingSigned`. The call returns 404 `NotFound` for a key store that is not an offline store of the organisation, 409 ' +
    '`Conflict` while another output of the group is being verified, and 409 `WrongState` if no open group waits for an output. ' +
    'Emits `fleet.group.approved` or `fleet.group.canceled`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Keys:ProveControl',
  userAction: true,
  file: true,
  params: StoreParams,
  query: z.strictObject({}),
  body: FleetSignOutputBody,
  response: SignOutputAnswer,
  handle: async ({ params, body, file, authority }, services) => ({
    status: await submitSigning(services, authority, params.storeId, 'ProofOfControl', { ...body, file }),
  }),
});
