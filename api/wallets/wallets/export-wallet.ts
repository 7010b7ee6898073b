import { z } from 'zod';
import { KeyExportBody } from '../../../application/bodies/keys';
import { exportWallet as give } from '../../../application/keys/shares';
import { answerOfChange } from '../../http/change-requests';
import { operation } from '../../http/operation';
import { KeyExport, KeyExportChangeRequest } from '../../key-schemas';
import { WalletParams } from '../../wallet-schemas';

export const exportWallet = operation({
  id: 'exportWallet',
  method: 'post',
  path: '/wallets/:walletId/export',
  tag: 'wallets',
  summary: 'Export the key of a wallet',
  description:
    'Replaced by `exportKey`, which this operation calls with the key of the wallet: the response contains the secret, ' +
    'encrypted to the X25519 key `encryptionKey`, and from then on, neither the key nor any key derived from it can sign here. ' +
    'If a policy on `Keys:Export` requires approval, the response is 202 with a change request, and after the approval the ' +
    'requester sends exactly the same body again, once and within 24 hours. The call returns 403 `Forbidden` if the ' +
    "organisation's setting `keyExport` is off, if the charter does not allow exports, or if the key is delegated to another " +
    "user, and 400 `InvalidRequest` if the signer's switch `SIGNER_EXPORT` is off. Emits `key.exported` and, for each wallet " +
    'of the key, `wallet.exported`.',
  deprecated: true,
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Export',
  userAction: true,
  params: WalletParams,
  query: z.object({}),
  body: KeyExportBody,
  response: KeyExport,
  accepted: KeyExportChangeRequest,
  handle: async ({ params, body, authority }, services) => answerOfChange(await give(services, authority, params.walletId, body)),
});
