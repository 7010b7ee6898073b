import { z } from 'zod';
import { ImportWalletBody } from '../../../application/bodies/keys';
import { importWallet as take } from '../../../application/wallets/import-wallet';
import { answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { KeyImportChangeRequest } from '../../key-schemas';
import { Wallet } from '../../wallet-schemas';

export const importWallet = operation({
  id: 'importWallet',
  method: 'post',
  path: '/wallets/import',
  tag: 'wallets',
  summary: 'Import a key together with its first wallet',
  description:
    'Stores the secret in `encryptedKeyShares` as a new key, as `importKey` does, and creates the wallet with this key; the ' +
    'name in the body is the name of the wallet. If a policy on `Keys:Import` requires approval, the response is 202 with a ' +
    'change request, which the workflow `changeRequest` follows; after the approval the requester sends exactly the same body ' +
    "again, once and within 24 hours. The call returns 403 `Forbidden` if the organisation's setting `keyImport` is off, 400 " +
    '`InvalidRequest` for a share that the signer cannot decrypt, and 409 `Conflict` for a public key or an external ID that ' +
    'the organisation already has. An import by an end user belongs to that user and is judged by no policy. Emits ' +
    '`key.created` and `wallet.created`; a policy that stops the import also emits `policy.triggered` and ' +
    '`policy.activity.resolved`, and an approval also emits `policy.approval.pending` and `policy.approval.resolved`.',
  furtherPermissions: () => ['Wallets:Create'],
  furtherPermissionNames: ['Wallets:Create'],
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Import',
  userAction: true,
  secretBody: true,
  params: z.object({}),
  query: z.object({}),
  body: ImportWalletBody,
  response: Wallet,
  accepted: KeyImportChangeRequest,
  handle: async ({ body, authority }, services) => answerOfChange(await take(services, authority, body)),
});
