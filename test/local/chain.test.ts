import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createPublicClient, createWalletClient, http, keccak256, parseEther } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { freePort } from '../../local/free-port';
import { waitUntil } from '../support/wait-until';

const ROOT = resolve(__dirname, '../..');
const ANVIL = process.env.ANVIL_PATH ?? join(ROOT, 'node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil');
const DEV_MNEMONIC = 'test test test test test test test test test test test junk';
const RECIPIENT = '0x1111111111111111111111111111111111111111';

jest.setTimeout(60_000);
let folder: string;
let port: number;
let child: ChildProcess;

beforeAll(async () => {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.mjs')]);
  folder = mkdtempSync(join(tmpdir(), 'strongroom-chain-'));
  port = await freePort();
  await start();
});

afterAll(async () => {
  await end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  for (const [method, value] of [
    ['setDown', false],
    ['setDelay', 0],
    ['dropTransactions', false],
    ['refuseTransactions', null],
    ['lieInReceipts', null],
    ['setMining', true],
  ] as const) {
    await rpc(`strongroom_${method}`, value);
  }
});

test('a transaction is mined promptly and gets its confirmations, and then no more blocks are mined', async () => {
  const hash = await pay();
  const receipt = await reader().waitForTransactionReceipt({ hash, confirmations: 4, pollingInterval: 20 });
  expect(receipt.status).toBe('success');
  const best = receipt.blockNumber + 3n;
  expect(await reader().getBlockNumber({ cacheTime: 0 })).toBe(best);
  await rpc('strongroom_setDelay', 600); // the reply comes after the time that two more empty blocks would take
  expect(await reader().getBlockNumber({ cacheTime: 0 })).toBe(best);
});

test('the chain reports its configured id and funds the first development account', async () => {
  expect(await reader().getChainId()).toBe(11_155_111);
  expect(await reader().getBalance({ address: faucet().address })).toBeGreaterThan(parseEther('9000'));
  expect(faucet().address).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
});

test('a block that was seen survives a kill of the process, with history and receipts, and still gets its confirmations', async () => {
  const hash = await pay();
  const seen = await reader().waitForTransactionReceipt({ hash, pollingInterval: 5 });
  const anvil = anvilPids();
  await end('SIGKILL');
  expect(anvil).toHaveLength(1);
  await waitUntil('anvil to be gone', () => anvil.every(isGone));
  await start();
  const kept = await reader().waitForTransactionReceipt({ hash, confirmations: 4, pollingInterval: 20 });
  expect(kept.blockHash).toBe(seen.blockHash);
  expect((await reader().getTransaction({ hash })).to?.toLowerCase()).toBe(RECIPIENT.toLowerCase());
});

test('a clean stop first mines the pending transactions, and does not leave an anvil running', async () => {
  await rpc('strongroom_setMining', false);
  const hash = await pay();
  const anvil = anvilPids();
  expect(await end('SIGTERM')).toBe(0);
  expect(anvil.every(isGone)).toBe(true);
  await start();
  expect((await reader().getTransactionReceipt({ hash })).status).toBe('success');
});

test('a reorg removes a transaction, and broadcasting the same bytes again confirms the transaction', async () => {
  const raw = await sign();
  const hash = await reader().sendRawTransaction({ serializedTransaction: raw });
  await reader().waitForTransactionReceipt({ hash, confirmations: 4, pollingInterval: 20 });
  await rpc('anvil_reorg', 4, []);
  await expect(reader().getTransactionReceipt({ hash })).rejects.toThrow(/could not be found/);
  await reader().sendRawTransaction({ serializedTransaction: raw });
  expect((await reader().waitForTransactionReceipt({ hash, pollingInterval: 20 })).status).toBe('success');
});

test('a chain that is down returns 503, a set delay is applied, and dropped transactions are accepted but never mined', async () => {
  await rpc('strongroom_setDown', true);
  expect((await post({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] })).status).toBe(503);
  await rpc('strongroom_setDown', false);

  await rpc('strongroom_setDelay', 300);
  const started = performance.now();
  await rpc('eth_chainId');
  expect(performance.now() - started).toBeGreaterThanOrEqual(295);
  await rpc('strongroom_setDelay', 0);

  await rpc('strongroom_dropTransactions', true);
  const raw = await sign();
  const hash = await reader().sendRawTransaction({ serializedTransaction: raw });
  await expect(reader().getTransaction({ hash })).rejects.toThrow(/could not be found/);
  await rpc('strongroom_dropTransactions', false);
  expect(await reader().sendRawTransaction({ serializedTransaction: raw })).toBe(hash);
  await reader().waitForTransactionReceipt({ hash, pollingInterval: 20 });
});

test('transactions are refused with the given message, and the node never sees them', async () => {
  await rpc('strongroom_refuseTransactions', 'nonce too low');
  const raw = await sign();
  await expect(rpc('eth_sendRawTransaction', raw)).rejects.toThrow(/nonce too low/);
  await rpc('strongroom_refuseTransactions', null);
  expect(await rpc('eth_getTransactionByHash', keccak256(raw))).toBeNull();
  expect(await rpc('eth_sendRawTransaction', raw)).toBe(keccak256(raw));
});

test('a receipt is wrong in the requested way, and right again afterwards', async () => {
  const hash = await pay();
  const receipt = await reader().waitForTransactionReceipt({ hash, pollingInterval: 20 });
  const told = async (lie: string | null, of: string = hash) => {
    await rpc('strongroom_lieInReceipts', lie);
    return rpc('eth_getTransactionReceipt', of);
  };
  expect(await told('OtherStatus')).toMatchObject({ transactionHash: hash, status: '0x0', blockHash: receipt.blockHash });
  expect(await told('OtherBlock')).not.toMatchObject({ blockHash: receipt.blockHash });
  expect(await told('OtherTransaction')).not.toMatchObject({ transactionHash: hash });
  expect(await told('Missing')).toBeNull();
  const unknown = `0x${'12'.repeat(32)}`;
  expect(await told('Invented', unknown)).toMatchObject({ transactionHash: unknown, status: '0x1' });
  expect(await told(null)).toMatchObject({ transactionHash: hash, status: '0x1', blockHash: receipt.blockHash });
  expect(await told(null, unknown)).toBeNull();
  await expect(rpc('strongroom_lieInReceipts', 'Nothing')).rejects.toThrow();
});

test('fifty transactions sent at once share few blocks and all succeed', async () => {
  const before = await reader().getBlockNumber({ cacheTime: 0 });
  const nonce = await reader().getTransactionCount({ address: faucet().address, blockTag: 'pending' });
  const hashes = await Promise.all(Array.from({ length: 50 }, (_, index) => pay(nonce + index)));
  const receipts = await Promise.all(hashes.map((hash) => reader().waitForTransactionReceipt({ hash, pollingInterval: 20 })));
  expect(receipts.every((receipt) => receipt.status === 'success')).toBe(true);
  expect(Math.max(...receipts.map((receipt) => Number(receipt.blockNumber - before)))).toBeLessThan(50);
});

test('the replies to a batch are in its order, and a body that is not JSON-RPC is refused with 400', async () => {
  const reply = await post([
    { jsonrpc: '2.0', id: 7, method: 'eth_chainId', params: [] },
    { jsonrpc: '2.0', id: 8, method: 'net_version', params: [] },
  ]);
  expect(await reply.json()).toMatchObject([
    { id: 7, result: '0xaa36a7' },
    { id: 8, result: '11155111' },
  ]);
  expect((await post('nothing')).status).toBe(400);
});

test('if the state file cannot be loaded, the start ends with a sentence that tells the user what to do', async () => {
  const file = join(folder, 'broken');
  execFileSync('/bin/sh', ['-c', 'echo no chain > "$0"', file]);
  const broken = spawn(process.execPath, [join(ROOT, 'dist/local/chain.js')], {
    env: settings({ CHAIN_STATE_FILE: file, CHAIN_PORT: '0' }),
  });
  let said = '';
  broken.stderr.on('data', (chunk) => (said += String(chunk)));
  expect(await new Promise((done) => broken.once('close', done))).toBe(1);
  expect(said).toContain('npm run reset');
});

const settings = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  ANVIL_PATH: ANVIL,
  CHAIN_STATE_FILE: join(folder, 'state'),
  CHAIN_PORT: String(port),
  LOG_LEVEL: 'warn',
  ...more,
});

async function start(): Promise<void> {
  child = spawn(process.execPath, [join(ROOT, 'dist/local/chain.js')], {
    env: settings(),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await waitUntil('the chain to answer', () => rpc('eth_chainId').then(Boolean, () => false));
}

async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  child.kill(signal);
  return ended;
}

const url = () => `http://127.0.0.1:${port}`;
const faucet = () => mnemonicToAccount(DEV_MNEMONIC);
const chain = { ...foundry, id: 11_155_111 };
const reader = () => createPublicClient({ chain, transport: http(url(), { retryCount: 0 }) });
const writer = () => createWalletClient({ chain, account: faucet(), transport: http(url(), { retryCount: 0 }) });

async function pay(nonce?: number): Promise<`0x${string}`> {
  return writer().sendTransaction({ to: RECIPIENT, value: 1n, ...(nonce === undefined ? {} : { nonce }) });
}

async function sign(): Promise<`0x${string}`> {
  const request = await writer().prepareTransactionRequest({ to: RECIPIENT, value: 2n });
  return writer().signTransaction(request);
}

function post(body: unknown): Promise<Response> {
  return fetch(url(), { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
}

async function rpc(method: string, ...params: unknown[]): Promise<unknown> {
  const reply = (await (await post({ jsonrpc: '2.0', id: 1, method, params })).json()) as { result?: unknown };
  if (reply.result === undefined) throw new Error(`${method}: ${JSON.stringify(reply)}`);
  return reply.result;
}

function anvilPids(): number[] {
  const out = execFileSync('ps', ['-o', 'pid=', '--ppid', String(child.pid)], { encoding: 'utf8' });
  return out.trim().split(/\s+/).map(Number);
}

/** Whether the process has ended. A zombie is treated as ended. */
function isGone(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return true;
  return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}
