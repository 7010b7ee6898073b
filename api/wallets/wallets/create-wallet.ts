import { z } from 'zod';
import { createWallet as create } from '../../../application/wallet-creation';
import { operation } from '../../http/operation';
import { Wallet } from '../../wallet-schemas';
import { CreateWalletBody } from './schemas';

export const createWallet = operation({
  id: 'createWallet',
  method: 'post',
  path: '/wallets',
  tag: 'wallets',
  summary: 'Create a wallet, with a new key unless one is named',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Create',
  furtherPermissions: ({ signingKey, tags }) => [
    signingKey?.id === undefined ? 'Keys:Create' : 'Keys:Reuse',
    ...(tags?.length ? ['Wallets:Tags:Add'] : []),
  ],
  furtherPermissionNames: ['Keys:Create', 'Keys:Reuse', 'Wallets:Tags:Add'],
  userAction: true,
  params: z.object({}),
  query: z.object({}),
  body: CreateWalletBody,
  response: Wallet,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
