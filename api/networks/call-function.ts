import { z } from 'zod';
import { CallFunctionBody } from '../../application/bodies/function-calls';
import { callFunction as call } from '../../application/networks/contract-reads';
import { operation } from '../http/operation';

export const callFunction = operation({
  id: 'callFunction',
  method: 'post',
  path: '/networks/:network/call-function',
  tag: 'networks',
  summary: 'Call a function of a contract without a transaction',
  description:
    'Executes the function on a node against the latest block and changes nothing, even if the function would; the call ' +
    'needs no wallet and no signature. It returns 400 `NetworkNotEnabled` for a network without nodes here or without ' +
    'contracts, 404 `NotFound` for a network whose tier does not include the reading of contracts, and 503 ' +
    '`NetworkUnavailable` if no node responds. A function, arguments or an address that do not fit the contract cause 400 ' +
    '`InvalidRequest` with the path of the member, and a revert causes 400 `CallReverted` with the reason of the ' +
    'contract. The call data has at most 16 KiB, types are nested at most 8 levels deep, and the inputs and the outputs ' +
    'each take at most 1024 words of 32 bytes before their dynamic parts.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.object({ network: z.string().min(1).max(64).describe('Name of a network, as in listNetworks') }),
  query: z.strictObject({}),
  body: CallFunctionBody,
  response: z.unknown().describe('The result of the function: a single value as it is, several as a list; integers as digits'),
  handle: ({ params, body }, services) => call(services, params.network, body),
});
