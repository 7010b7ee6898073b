import { z } from 'zod';
import { KeyExportBody } from '../../application/bodies/keys';
import { exportKey as give } from '../../application/keys/shares';
import { answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { KeyExport, KeyExportChangeRequest, KeyParams } from '../key-schemas';

export const exportKey = operation({
  id: 'exportKey',
  method: 'post',
  path: '/keys/:keyId/export',
  tag: 'keys',
  summary: 'Export a key, encrypted to the caller; the key can no longer sign',
  description:
    'Returns the secret, encrypted to the X25519 key `encryptionKey`; from then on, neither the key nor any key derived from ' +
    'it can sign here, and the export may be repeated. If a policy on `Keys:Export` requires approval, the response is 202 ' +
    'with a change request, which the workflow `changeRequest` follows; after the approval the requester sends exactly the ' +
    "same body again, once and within 24 hours. The call returns 403 `Forbidden` if the organisation's setting `keyExport` is " +
    'off, if the charter does not allow exports, or if the key is delegated to another user, and 400 `InvalidRequest` if the ' +
    "signer's switch `SIGNER_EXPORT` is off. It returns 409 `WrongState` for a deleted key, for a master key with a child key " +
    'that belongs to another owner, and for an approved export while the wait that the charter requires is not over ' +
    '(`details.exportFrom`); 409 `TargetFrozen` for a frozen key; 409 `ChangePending` while another request for the key waits; ' +
    'and 403 `PolicyBlocked` if a policy blocks the export. Emits `key.exported` for the key and each derived key, and ' +
    '`wallet.exported` for each of their wallets; a policy that stops the export also emits `policy.triggered` and ' +
    '`policy.activity.resolved`, and an approval also emits `policy.approval.pending` and `policy.approval.resolved`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Export',
  userAction: true,
  params: KeyParams,
  query: z.object({}),
  body: KeyExportBody,
  response: KeyExport,
  accepted: KeyExportChangeRequest,
  handle: async ({ params, body, authority }, services) => answerOfChange(await give(services, authority, params.keyId, body)),
});
