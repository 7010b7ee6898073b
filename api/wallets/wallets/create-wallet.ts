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
  summary: 'Create a wallet, with a new key unless the body specifies an existing key',
  description:
    'Creates the wallet with a new key of the kind that the network requires, or with the existing key `signingKey.id`, which ' +
    'has at most one wallet on each network; a wallet that an end user creates belongs to that user from the start. The ' +
    'response comes once the key is stored safely; if that takes more than 20 seconds, the call returns 503 `NotReady`, the ' +
    'wallet appears later, and repeating the call with the same `externalId` waits for the wallet again. If an earlier request ' +
    'has the same `externalId`, the call returns its wallet if the requests are equal, and 409 `Conflict` if they differ. The ' +
    'call returns 400 `NetworkNotEnabled` for a network without a record or a node here, and for a mainnet that the charter of ' +
    'the organisation does not list; it returns 409 `WrongState` if the key was deleted or exported, if an offline store has ' +
    'no free key and, under a charter that serves end users, for an end user without a passkey or key and for a requester whom ' +
    'the charter does not list. Emits `wallet.created`, preceded by `key.created` for a new key.',
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
