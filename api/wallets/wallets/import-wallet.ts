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
