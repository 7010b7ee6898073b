import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../prepare/run.mjs';

const FUNDS_WEI = '0xde0b6b3a7640000';
const AMOUNT_WEI = '1000000000000000';
const RECIPIENT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const CONFIRMED_WITHIN_MS = 60_000;
const ASKED_EVERY_MS = 250;

/** Makes a transfer, and returns a line with the states of the transfer and the status of the receipt. */
export async function transferOnce(root, firstRunFile) {
  const { createClient } = createRequire(import.meta.url)(join(root, 'dist', 'local', 'client.js'));
  const { baseUrl, users, chains } = JSON.parse(readFileSync(firstRunFile, 'utf8'));
  const anything = { parse: (value) => value };
  const client = createClient(baseUrl, users[0]);
  const rpc = async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(chains.EthereumSepolia.rpcUrl, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    return (await response.json()).result;
  };
  const [faucet] = await rpc('eth_accounts', []);
  const wallet = await client.change('POST', '/wallets', { network: 'EthereumSepolia', name: 'Rehearsal' }, anything);
  await rpc('eth_sendTransaction', [{ from: faucet, to: wallet.address, value: FUNDS_WEI }]);
  const path = `/wallets/${wallet.id}/transfers`;
  const { id } = await client.change('POST', path, { kind: 'Native', to: RECIPIENT, amount: AMOUNT_WEI }, anything);
  const states = new Set();
  const deadline = performance.now() + CONFIRMED_WITHIN_MS;
  for (;;) {
    const transfer = await client.get(`${path}/${id}`, anything);
    states.add(transfer.status);
    if (transfer.status === 'Confirmed') {
      const receipt = await rpc('eth_getTransactionReceipt', [transfer.txHash]);
      return `${id}: ${[...states].join(', ')}; on chain ${transfer.txHash}, status ${receipt.status}`;
    }
    if (performance.now() > deadline) throw new Refusal(`The transfer stopped at ${JSON.stringify(transfer)}`);
    await delay(ASKED_EVERY_MS);
  }
}
