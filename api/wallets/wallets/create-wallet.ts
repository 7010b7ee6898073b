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
  description:
    'Creates the wallet with a new key of the form that the network requires, or with the existing key `signingKey.id`, ' +
    'which has at most one wallet on each network. The response comes once the key is stored safely; if that takes more ' +
    'than 20 seconds, the response is 503 `NotReady`, the wallet appears later, and the same request with its ' +
    '`externalId` waits for the wallet again. A repeated request with the same `externalId` and the same members returns ' +
    "the first wallet; a request with other members returns 409 `Conflict`. An end user's wallet belongs to that user " +
    'from the start; a network without a record or a node here, or a mainnet that the charter of the organisation does ' +
    'not name, returns 400 `NetworkNotEnabled`; a key that was deleted or exported returns 409 `WrongState`; under a ' +
    'charter that serves end users, 409 `WrongState` is also returned for an end user without a passkey or key, and for a ' +
    'requester whom the charter does not name. Emits `wallet.created`, preceded by `key.created` for a new key.',
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
