import { z } from 'zod';
import { SignatureBody } from '../../../application/bodies/signatures';
import { requestSignature } from '../../../application/signatures/request-signature';
import { signatureView } from '../../../application/signatures/view';
import { operation } from '../../http/operation';
import { KeyParams } from '../../key-schemas';
import { SignatureRequest } from '../../signature-request-schemas';

export const keysGenerateSignature = operation({
  id: 'keysGenerateSignature',
  method: 'post',
  path: '/keys/:keyId/signatures',
  tag: 'keys',
  summary: 'Sign with a key',
  description:
    'Records the request, which the policies judge for every wallet of the key, and waits up to 15 seconds until the ' +
    'request is `Signed`, is `Pending` with an `approvalId`, or has ended; the status is 200 in every case. The workflow ' +
    '`signature` ends the request with the signature, as `Rejected` by a policy or an approver, or as `Failed` with a ' +
    '`reason`; the nonce or coins of a signed transaction stay claimed until the caller sends the transaction, but a ' +
    'nonce that the service chose stays claimed only until `details.lapsesAt`. The same `externalId` with the same body ' +
    'returns the first request; with another body it returns 409 `Conflict`. A network that is not enabled, or a mainnet ' +
    "that the charter of the organisation does not name, returns 400 `NetworkNotEnabled`; a kind that the signer's " +
    'configuration disables returns 400 `InvalidRequest`; a key that is delegated to another user returns 403 ' +
    '`Forbidden`, a deleted or exported key returns 409 `WrongState`, and a freeze causes 409 `TargetFrozen`. Emits ' +
    '`wallet.signature.requested` and then `wallet.signature.signed`, `wallet.signature.failed` or ' +
    '`wallet.signature.rejected`; a policy that stops the request also emits `policy.triggered` and ' +
    '`policy.activity.resolved`, and an approval also emits `policy.approval.pending` and `policy.approval.resolved`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Signatures:Create',
  userAction: true,
  params: KeyParams,
  query: z.object({}),
  body: SignatureBody,
  response: SignatureRequest,
  handle: async ({ params, body, authority }, services) =>
    signatureView(await requestSignature(services, authority, { keyId: params.keyId }, body)),
});
