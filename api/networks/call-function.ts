import { z } from 'zod';
import { CallFunctionBody } from '../../application/bodies/function-calls';
import { callFunction as call } from '../../application/networks/contract-reads';
import { operation } from '../http/operation';

export const callFunction = operation({
  id: 'callFunction',
  method: 'post',
  path: '/networks/:network/call-function',
  tag: 'networks',
  summary: 'Call a read-only function of a contract',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.object({ network: z.string().min(1).max(64) }),
  query: z.strictObject({}),
  body: CallFunctionBody,
  response: z.unknown().describe('The result of the function: a single value as it is, several as a list; integers as digits'),
  handle: ({ params, body }, services) => call(services, params.network, body),
});
