import { z } from 'zod';
import { createControlProofs } from '../../../application/fleets/create-group';
import { FLEET_PROOFS_MAX } from '../../../domain/fleets';
import { operation } from '../../http/operation';
import { Archive } from '../ceremonies/schemas';
import { StoreParams } from '../fleets/schemas';

export const createProofOfControlInput = operation({
  id: 'createProofOfControlInput',
  method: 'post',
  path: '/key-stores/:storeId/proof-of-control/input',
  tag: 'signers',
  summary: 'Ask an offline device to prove the control of wallets',
  description:
    'The archive for the device, as text, contains a message for each wallet, which names the organisation, the wallet, its ' +
    'address, the group and the date. If the signer takes more than 20 seconds, the call returns 503 `NotReady` with the ID of ' +
    'the group, and `getFleetOperationArchive` returns the archive later. The call returns 400 `InvalidRequest` with the place ' +
    'in the list for a wallet that is not an active wallet with a key of the key store, 409 `Conflict` while the key store has ' +
    'an open group, 409 `WrongState` if the key store has no fleet or the signer refuses, and 404 `NotFound` for a key store ' +
    'that is not an offline store of the organisation. Emits `fleet.group.created`.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Instructions:Keys:ProveControl',
  userAction: true,
  params: StoreParams,
  query: z.strictObject({}),
  body: z.strictObject({
    walletIds: z
      .array(z.string().min(1).max(64))
      .min(1)
      .max(FLEET_PROOFS_MAX)
      .describe('IDs of active wallets whose keys lie in this key store, each once'),
  }),
  response: Archive,
  handle: ({ params, body, authority }, services) => createControlProofs(services, authority, params.storeId, body.walletIds),
});
