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
