import { z } from 'zod';
import { createFreeze as create } from '../../application/freezes/request-freeze';
import { operation } from '../http/operation';
import { Freeze, FreezeBody } from './schemas';

export const createFreeze = operation({
  id: 'createFreeze',
  method: 'post',
  path: '/freezes',
  tag: 'freezes',
  summary: 'Freeze a wallet, a key, a network or the whole organisation at once',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'Freezes:Create',
  userAction: true,
  params: z.strictObject({}),
  query: z.strictObject({}),
  body: FreezeBody,
  response: Freeze,
  handle: ({ body, authority }, services) => create(services, authority, body),
});
