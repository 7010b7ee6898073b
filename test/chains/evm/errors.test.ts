import { estimateFailure, neverRefused, outcomeOf } from '../../../chains/evm/errors';
import { RpcError } from '../../../chains/rpc/rpc';

const outcome = (message: string) => outcomeOf('EthereumSepolia', new RpcError(-32000, message));

test.each([
  ['already known', 'AlreadyKnown'],
  ['known transaction: 0xabc', 'AlreadyKnown'],
  ['transaction already imported', 'AlreadyKnown'],
  ['nonce too low: next nonce 5, tx nonce 4', 'NonceTooLow'],
  ['OldNonce', 'NonceTooLow'],
  ['insufficient funds for gas * price + value: balance 0', 'InsufficientFunds'],
  ['Upfront cost exceeds account balance', 'InsufficientFunds'],
  ['transaction underpriced', 'Underpriced'],
  ['replacement transaction underpriced', 'Underpriced'],
  ['FeeTooLow, fee too low to compete', 'Underpriced'],
  ['max fee per gas less than block base fee', 'Underpriced'],
])('"%s" means %s', (message, expected) => {
  expect(outcome(message)).toBe(expected);
});

test('an unknown refusal is passed on with its message', () => {
  expect(outcome('invalid sender')).toEqual({ kind: 'Rejected', reason: 'invalid sender' });
});

test.each(['txpool is full', 'request timed out: timeout', 'node is syncing', 'daily limit reached'])(
  '"%s" is a fault of the node: the transaction is sent again',
  (message) => {
    expect(() => outcome(message)).toThrow(expect.objectContaining({ code: 'NetworkUnavailable', retryable: true }));
  },
);

test('an estimate that reverts is reported as a fault of the transfer; an estimate that the node cannot make is not', () => {
  const failure = (code: number, message: string) => estimateFailure('EthereumSepolia', new RpcError(code, message));
  expect(failure(3, 'execution reverted: ERC20: transfer amount exceeds balance')).toMatchObject({ code: 'TransferWouldFail' });
  expect(failure(-32000, 'gas required exceeds allowance (0)')).toMatchObject({ code: 'TransferWouldFail' });
  expect(failure(-32601, 'method not found')).toMatchObject({ code: 'NetworkUnavailable' });
  const other = new Error('another');
  expect(estimateFailure('EthereumSepolia', other)).toBe(other);
});

test('a refusal of a read request is a fault of the node', async () => {
  const ask = neverRefused('EthereumSepolia', () => Promise.reject(new RpcError(-32000, 'header not found')));
  await expect(ask('eth_call', [], expect.anything())).rejects.toMatchObject({ code: 'NetworkUnavailable' });
});
