import { z } from 'zod';
import { createKey as create } from '../../application/keys/create-key';
import { operation } from '../http/operation';
import { UNUSED_MEMBERS } from '../key-schemas';
import { CreateKeyBody, Key } from './schemas';

export const createKey = operation({
  id: 'createKey',
  method: 'post',
  path: '/keys',
  tag: 'keys',
  summary: 'Create a key, random or derived from a master key',
  description:
    'Creates a random key, or with `deriveFrom` a child of a master key (BIP32 on secp256k1, SLIP-10 on ed25519). The response ' +
    'comes once the secret is stored safely; if that takes more than 20 seconds, the call returns 503 `NotReady`, the key ' +
    'appears in the list later, and repeating the call creates another key. A key that an end user creates, or that is derived ' +
    "from an end user's master key, belongs to that user. The call returns 409 `Conflict` if the derivation path is taken, and " +
    '409 `WrongState` if the master key was deleted or exported, or if an offline store has no free key; under a charter that ' +
    'serves end users, it also returns 409 `WrongState` for an end user without a passkey or key, and for a requester whom the ' +
    'charter does not list. Emits `key.created`.',
  furtherPermissions: ({ delegateTo, deriveFrom }) => [
    ...(delegateTo === undefined ? [] : ['Keys:Delegate']),
    ...(deriveFrom ? ['Keys:ChildKeys:Create'] : []),
  ],
  furtherPermissionNames: ['Keys:ChildKeys:Create', 'Keys:Delegate'],
  unusedMembers: Object.keys(UNUSED_MEMBERS),
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Create',
  userAction: true,
  params: z.object({}),
  query: z.object({}),
  body: CreateKeyBody,
  response: Key,
  handle: ({ body: { groupSize, groupThreshold, ...request }, authority }, services) => create(services, authority, request),
});
