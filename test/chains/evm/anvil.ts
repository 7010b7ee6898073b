import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { z } from 'zod';
import { createEvmGateway } from '../../../chains/evm/gateway';
import { ETHEREUM } from '../../../chains/evm/networks/ethereum';
import { createEvmReader } from '../../../chains/evm/reader';
import type { Signature } from '../../../chains/evm/types';
import { rpcOptionsOf } from '../../../chains/network-settings';
import { networkOf } from '../../../chains/networks';
import { createRpc, Hash } from '../../../chains/rpc/rpc';
import type { TransferIntent } from '../../../chains/types';
import { freePort } from '../../../local/free-port';
import { codec } from './intents';

const PATIENCE_MS = 15_000;
const RETRY_MS = 50;

/** Anvil publishes this key. The key has money on every local anvil chain and on no other chain. */
const FAUCET_SECRET = Buffer.from('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', 'hex');
export const FAUCET = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

/** The first result of `read` that is not undefined. */
async function eventually<T>(read: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await read();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error('the local chain did not return a result in time');
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

function sign(digestHex: string, secret: Uint8Array): Signature {
  const bytes = secp256k1.sign(Buffer.from(digestHex.slice(2), 'hex'), secret, { prehash: false, format: 'recovered' });
  const hex = Buffer.from(bytes.subarray(1)).toString('hex');
  return { r: `0x${hex.slice(0, 64)}`, s: `0x${hex.slice(64)}`, recoveryId: bytes[0] === 1 ? 1 : 0 };
}

/** A real local chain with Sepolia's chain id, a reader, a gateway and a funded sender that signs in the test. */
export async function startAnvil() {
  const port = await freePort();
  const binary = join(
    __dirname,
    '../../../node_modules/@foundry-rs',
    `anvil-${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`,
    'bin/anvil',
  );
  const child = spawn(process.env['ANVIL_PATH'] ?? binary, ['--port', String(port), '--chain-id', '11155111', '--silent'], {
    stdio: 'ignore',
  });
  const url = `http://127.0.0.1:${port}`;
  const rpc = createRpc('EthereumSepolia', [url], rpcOptionsOf(ETHEREUM.EthereumSepolia, {}));
  const reader = createEvmReader(ETHEREUM.EthereumSepolia, rpc);
  await eventually(() => reader.chainId().catch(() => undefined));
  const call = <T>(method: string, params: readonly unknown[], result: z.ZodType<T>) => rpc(method, params, result);

  /** Anvil returns the hash of a transaction before it mines the block. Hence the head is read only after the receipt. */
  async function included(fields: Readonly<Record<string, unknown>>) {
    const txHash = await call('eth_sendTransaction', [{ from: FAUCET, gas: '0x4c4b40', ...fields }], Hash);
    const Receipt = z.object({ transactionHash: Hash, contractAddress: z.string().nullish() }).nullable();
    return eventually(async () => (await call('eth_getTransactionReceipt', [txHash], Receipt)) ?? undefined);
  }

  return {
    url,
    reader,
    gateway: createEvmGateway(networkOf('EthereumSepolia'), rpc, [rpc]),
    call,
    /** Signs a digest with the faucet's key. */
    sign: (digestHex: string) => sign(digestHex, FAUCET_SECRET),
    order: (method: string, ...params: unknown[]) => call(method, params, z.unknown()),
    async signTransfer(intent: TransferIntent, nonce: number, maxFeePerGas = 5_000_000_000n) {
      const terms = await reader.feeTerms(intent, 'Standard');
      const unsigned = codec.build(intent, nonce, { ...terms, maxFeePerGas, maxPriorityFeePerGas: 1_000_000_000n });
      return codec.attach(unsigned, sign(unsigned.digestHex, FAUCET_SECRET), FAUCET);
    },
    /** Deploys compiled code at the faucet's expense, and returns the address of the contract. */
    async deploy(bytecode: string): Promise<string> {
      const { contractAddress } = await included({ data: bytecode });
      return codec.parseAddress(z.string().parse(contractAddress));
    },
    /** Sends a transaction at the faucet's expense, and returns its hash once a block contains the transaction. */
    send: async (fields: Readonly<Record<string, unknown>>): Promise<string> => (await included(fields)).transactionHash,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}
