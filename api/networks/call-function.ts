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
    'Executes the function on a node against the latest block. The call needs neither a wallet nor a signature, and does not ' +
    'change the state of the contract, even if the function would. It returns 400 `NetworkNotEnabled` for a network without ' +
    'nodes here or without contracts, 404 `NotFound` for a network whose tier does not include calls of contracts, and 503 ' +
    '`NetworkUnavailable` if no node responds. It returns 400 `InvalidRequest` with the path of the member if the function, an ' +
    "argument or the address does not fit the contract, and 400 `CallReverted` with the contract's reason if the call reverts. " +
    'The call data has at most 16 KiB, types are nested at most 8 levels deep, and the inputs and the outputs each take at ' +
    'most 1024 words of 32 bytes before their dynamic parts.',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: null,
  userAction: false,
  params: z.object({ network: z.string().min(1).max(64).describe('Name of a network, as `listNetworks` returns it') }),
  query: z.strictObject({}),
  body: CallFunctionBody,
  response: z.unknown().describe('The result of the function: a single value as it is, several as a list; integers as digits'),
  handle: ({ params, body }, services) => call(services, params.network, body),
});
