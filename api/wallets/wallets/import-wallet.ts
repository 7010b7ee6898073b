import { z } from 'zod';
import { importWallet as take } from '../../../application/wallet-import';
import { operation } from '../../http/operation';
import { Wallet } from '../../wallet-schemas';
import { ImportWalletBody } from './schemas';

export const importWallet = operation({
  id: 'importWallet',
  method: 'post',
  path: '/wallets/import',
  tag: 'wallets',
  summary: 'Take in a key from elsewhere together with its first wallet',
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
  handle: ({ body, authority }, services) => take(services, authority, body),
});
