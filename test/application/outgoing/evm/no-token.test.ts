import { encodeFunctionData, parseAbi } from 'viem/utils';
import { RECIPIENT, startTransferApi, type TransferApi } from '../../../support/transfer-api';
import { faultAt, refusal, START_LIMIT_MS } from '../../../support/wallet-api';

const CONTRACT = '0x5FbDB2315678afecb367f032d93F642f64180aa3';
const to = RECIPIENT as `0x${string}`;
const abi = parseAbi(['function transfer(address to, uint256 amount) returns (bool done)']);
const data = encodeFunctionData({ abi, functionName: 'transfer', args: [to, 5_000_000n] });

let transfers: TransferApi;
beforeAll(async () => {
  transfers = await startTransferApi();
}, START_LIMIT_MS);
afterAll(() => transfers?.close());

test('call data for a token transfer to an address without a token is refused, and the reason states that there is no token', async () => {
  const [transfer] = abi;
  const calldata = { to, amount: '5000000' };
  const call = { contract: CONTRACT, abi: transfer, calldata };
  const asked = [
    [{ kind: 'Evm', to: CONTRACT, data }, 'body.data', `there is no token at ${CONTRACT}`],
    [{ kind: 'Transaction', transaction: { to: CONTRACT, data } }, 'body.transaction.data', `there is no token at ${CONTRACT}`],
    [{ kind: 'FunctionCall', call }, 'body.call.contract', 'there is no contract at this address'],
  ] as const;
  for (const [body, path, words] of asked) {
    const answer = await transfers.broadcast(body);
    expect(answer).toMatchObject(refusal(400, 'InvalidRequest', faultAt(path)));
    const message = expect.stringContaining(words);
    expect(answer.body).toMatchObject({ error: { message } });
  }
});
