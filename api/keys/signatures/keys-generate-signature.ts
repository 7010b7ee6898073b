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
    'Records the request, which the policies judge for every wallet of the key, and waits up to 15 seconds until the request ' +
    'is `Signed`, is `Pending` with an `approvalId`, waits for an offline device, or has ended; the status is 200 in ' +
    'every case. The workflow `signature` ' +
    'ends the request with the signature, as `Rejected` by a policy or an approver, or as `Failed` with a `reason`; the nonce ' +
    'or coins of a signed transaction stay reserved until the caller sends the transaction, but a nonce that the service chose ' +
    'stays reserved only until `details.lapsesAt`. If an earlier request has the same `externalId`, the call returns that ' +
    'request if the bodies are equal, and 409 `Conflict` if they differ. It returns 400 `NetworkNotEnabled` for a network that ' +
    'is not enabled, or a mainnet that the charter of the organisation does not list; 400 `InvalidRequest` for a kind that the ' +
    "signer's configuration disables; 403 `Forbidden` for a key that is delegated to another user; 409 `WrongState` for a " +
    'deleted or exported key; and 409 `TargetFrozen` during a freeze. Emits `wallet.signature.requested` and then ' +
    '`wallet.signature.signed`, `wallet.signature.failed` or `wallet.signature.rejected`; a policy that stops the request also ' +
    'emits `policy.triggered` and `policy.activity.resolved`, and an approval also emits `policy.approval.pending` and ' +
    '`policy.approval.resolved`.',
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
