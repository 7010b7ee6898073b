import { z } from 'zod';
import { ImportKeyBody } from '../../application/bodies/keys';
import { importKey as take } from '../../application/keys/shares';
import { answerOfChange } from '../http/change-requests';
import { operation } from '../http/operation';
import { KeyImportChangeRequest } from '../key-schemas';
import { Key } from './schemas';

export const importKey = operation({
  id: 'importKey',
  method: 'post',
  path: '/keys/import',
  tag: 'keys',
  summary: 'Import a key, encrypted to the signer',
  description:
    'Stores as a new key the secret in `encryptedKeyShares`, which is encrypted to the signer that `listSigners` returns; ' +
    'there is exactly one share, because the store holds whole keys. If a policy on `Keys:Import` requires approval, the ' +
    'response is 202 with a change request, which the workflow `changeRequest` follows; after the approval the requester sends ' +
    "exactly the same body again, once and within 24 hours. The call returns 403 `Forbidden` if the organisation's setting " +
    '`keyImport` is off, 400 `InvalidRequest` for a share that the signer cannot decrypt, 409 `Conflict` for a public key that ' +
    'the organisation already has, and 403 `PolicyBlocked` if a policy blocks the import. An import by an end user belongs to ' +
    'that user and is judged by no policy. Emits `key.created`; a policy that stops the import also emits `policy.triggered` ' +
    'and `policy.activity.resolved`, and an approval also emits `policy.approval.pending` and `policy.approval.resolved`.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Import',
  userAction: true,
  secretBody: true,
  params: z.object({}),
  query: z.object({}),
  body: ImportKeyBody,
  response: Key,
  accepted: KeyImportChangeRequest,
  handle: async ({ body, authority }, services) => answerOfChange(await take(services, authority, body)),
});
