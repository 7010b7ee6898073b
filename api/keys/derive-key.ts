import { z } from 'zod';
import { DeriveKeyBody } from '../../application/bodies/keys';
import { deriveKey as derive } from '../../application/keys/derive-key';
import { operation } from '../http/operation';
import { KeyParams } from '../key-schemas';

export const deriveKey = operation({
  id: 'deriveKey',
  method: 'post',
  path: '/keys/:keyId/derive',
  tag: 'keys',
  summary: 'Derive a value from a DH key; the same domain and seed give the same value',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Derive',
  userAction: true,
  params: KeyParams,
  query: z.object({}),
  body: DeriveKeyBody,
  response: z.object({ output: z.string() }),
  handle: async ({ params, body, authority }, services) => ({ output: await derive(services, authority, params.keyId, body) }),
});
