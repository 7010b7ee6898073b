import { serializeTransaction } from 'viem/utils';
import type { Client } from '../support/client';
import type { JoinedService } from '../support/service';
import { fundedWallet, RECIPIENT } from '../support/story';
import { waitUntil } from '../support/wait-until';
import { call } from './calls';

type Transaction = { readonly id: string; readonly status: string; readonly txHash?: string };
/** The code at this address returns 42 for every call. No account of the local trial deploys a contract there. */
const CONTRACT = '0x00000000000000000000000000000000C0FFee42';
const CODE = '0x602a5f5260205ff3';
const CLAIM = {
  type: 'function',
  name: 'claim',
  stateMutability: 'nonpayable',
  inputs: [
    { name: 'to', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  outputs: [{ name: '', type: 'uint256' }],
};
type Page = { readonly items: readonly Transaction[] };

/** The admin sends a transaction of every kind in the published client's format, and each transaction confirms. */
export async function transactionStory(service: JoinedService, admin: Client): Promise<void> {
  const { id: walletId } = await fundedWallet(service, admin);
  const params = { walletId };
  await service.rpc('anvil_setCode', [CONTRACT, CODE]);
  const to = RECIPIENT as `0x${string}`;
  const hex = serializeTransaction({
    type: 'eip1559',
    chainId: 11_155_111,
    nonce: 2,
    to,
    value: 3n,
    gas: 21_000n,
    maxFeePerGas: 20_000_000_000n,
    maxPriorityFeePerGas: 1_000_000_000n,
  });
  const bodies = [
    { kind: 'Evm', to, value: '1', externalId: 'raw-1' },
    { kind: 'Eip1559', to, value: '0x2', data: '0x', gasLimit: '30000', nonce: 1 },
    { kind: 'Transaction', transaction: hex },
    { kind: 'Transaction', transaction: { type: 0, to, value: '4' } },
    { kind: 'FunctionCall', call: { contract: CONTRACT, abi: CLAIM, calldata: { to, amount: '5' } } },
  ];
  for (const body of bodies) {
    const sent = await call<Transaction>(admin, 'broadcastTransaction', { params, body });
    if (sent.txHash === undefined) throw new Error(`${JSON.stringify(body)} is ${sent.status} without a transaction id`);
    await waitUntil(
      `the confirmation of ${sent.id}`,
      async () => {
        const now = await call<Transaction>(admin, 'getTransaction', { params: { walletId, transactionId: sent.id } });
        if (now.status === 'Failed' || now.status === 'Rejected') throw new Error(`${sent.id} is ${JSON.stringify(now)}`);
        return now.status === 'Confirmed';
      },
      90_000,
    );
  }
  const claimed = await call<unknown>(admin, 'callFunction', {
    params: { network: 'EthereumSepolia' },
    body: { contract: CONTRACT, abi: CLAIM, calldata: { to, amount: '5' } },
  });
  if (claimed !== '42') throw new Error(`the contract answered ${JSON.stringify(claimed)}`);
  const { items } = await call<Page>(admin, 'listTransactions', { params });
  if (items.length !== bodies.length) throw new Error(`${items.length} of ${bodies.length} transactions are listed`);
}
