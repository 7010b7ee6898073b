import { z } from 'zod';
import { attestationOf } from '../../../application/wallets/attestation';
import { operation } from '../../http/operation';
import { WalletParams } from '../../wallet-schemas';

export const getWalletAttestation = operation({
  id: 'getWalletAttestation',
  method: 'get',
  path: '/wallets/:walletId/attestation',
  tag: 'wallets',
  summary: "Read the signer's attestation of a wallet's address",
  description:
    'The signer computes the address itself from the key in its journal and signs the result, so that `strongroom-verify ' +
    'address` can check an address without trusting this service. A new wallet has its attestation from the start; for a ' +
    'wallet with an existing or imported key, the call returns 503 `NotReady` for some minutes. It returns 404 `NotFound` for ' +
    'a wallet that only signs, because such a wallet has no address.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Read',
  userAction: false,
  params: WalletParams,
  query: z.object({}),
  body: z.unknown(),
  response: z
    .object({
      walletId: z.string(),
      attestation: z
        .string()
        .describe(
          'The exact text that the signer signed: JSON with the organisation, the key, the network, the address, the public ' +
            'key, whether the key was ever known outside the signer, and the time; for a key that an end user holds at the ' +
            'signer also `holder`, with the fingerprints of the credentials that can sign with it',
        ),
      signature: z.string().describe('Ed25519, in base64, over `strongroom/address-attestation/v1`, a zero byte and the text'),
    })
    .meta({ id: 'WalletAttestation' }),
  handle: ({ params, authority: { caller } }, services) => attestationOf(services.db.read(caller.orgId), caller, params.walletId),
});
