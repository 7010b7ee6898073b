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
  summary: 'Export a key, encrypted to the caller; it signs nothing from then on',
  description:
    'Returns the secret, encrypted to the X25519 key `encryptionKey`; from then on the key and every key derived ' +
    'from it sign nothing here, and the export may be repeated. If a policy on `Keys:Export` requires approval, the ' +
    'response is 202 with a change request, which the workflow `changeRequest` follows; after the approval the ' +
    "requester sends exactly the same body again, once and within 24 hours. Without the organisation's setting " +
    '`keyExport`, under a charter that lets no key leave, and for a key that is delegated to another user, it returns 403 ' +
    "`Forbidden`; without the signer's switch `SIGNER_EXPORT` it returns 400 `InvalidRequest`. A deleted key, a master key " +
    'with a child of another owner, and an approved export that the charter still lets wait (`details.exportFrom`) return ' +
    '409 `WrongState`, a frozen one returns 409 `TargetFrozen`, a second request for the key while one waits ' +
    '409 `ChangePending`, and a policy that blocks it 403 `PolicyBlocked`. Emits `key.exported` for the key and ' +
    'each derived key, and `wallet.exported` for each of their wallets; a policy that stops it also emits ' +
    '`policy.triggered` and `policy.activity.resolved`, and an approval `policy.approval.pending` and ' +
    '`policy.approval.resolved`.',
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
