import { z } from 'zod';
import { signerFactsOf } from '../../application/keys/signers';
import { SOFTWARE_STORE_ID } from '../../domain/key-stores';
import { operation } from '../http/operation';
import { SignerClusters } from './schemas';

export const listSigners = operation({
  id: 'listSigners',
  method: 'get',
  path: '/signers',
  tag: 'signers',
  summary: 'List the signers and their encryption keys',
  description:
    'Queries the signer, through the workflow `listSigners`, for its ID and the public key to which a caller encrypts the ' +
    'share of `importKey` or `importWallet`. If the signer does not respond within 10 seconds, the call returns 503 ' +
    '`NotReady`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Signers:ListSigners',
  userAction: false,
  params: z.object({}),
  query: z.object({}),
  body: z.unknown(),
  response: SignerClusters,
  handle: async ({ authority: { caller } }, services) => ({
    clusters: [{ clusterId: SOFTWARE_STORE_ID, signers: [await signerFactsOf(services, caller.orgId)] }],
  }),
});
