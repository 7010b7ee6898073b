import { z } from 'zod';
import { createWallet as create } from '../../../application/wallets/create-wallet';
import { operation } from '../../http/operation';
import { UNUSED_MEMBERS } from '../../key-schemas';
import { Wallet } from '../../wallet-schemas';
import { CreateWalletBody } from './schemas';

export const createWallet = operation({
  id: 'createWallet',
  method: 'post',
  path: '/wallets',
  tag: 'wallets',
  summary: 'Create a wallet, with a new key unless the body names one',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Wallets:Create',
  furtherPermissions: ({ signingKey, delegateTo, tags }) => [
    signingKey?.id === undefined ? 'Keys:Create' : 'Keys:Reuse',
    ...(signingKey?.deriveFrom ? ['Keys:ChildKeys:Create'] : []),
    ...(delegateTo === undefined ? [] : ['Keys:Delegate']),
    ...(tags?.length ? ['Wallets:Tags:Add'] : []),
  ],
  furtherPermissionNames: ['Keys:Create', 'Keys:Reuse', 'Keys:ChildKeys:Create', 'Keys:Delegate', 'Wallets:Tags:Add'],
  unusedMembers: Object.keys(UNUSED_MEMBERS),
  userAction: true,
  params: z.object({}),
  query: z.object({}),
  body: CreateWalletBody,
  response: Wallet,
  handle: ({ body: { groupSize, groupThreshold, ...request }, authority }, services) => create(services, authority, request),
});
