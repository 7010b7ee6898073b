import { ed25519 } from '@noble/curves/ed25519.js';
import { createRpc } from '../../../chains/rpc/rpc';
import { createSolanaCodec } from '../../../chains/solana/codec';
import { createSolanaGateway } from '../../../chains/solana/gateway';
import { solanaDevnet } from '../../../chains/solana/networks/solana-devnet';
import { createSolanaReader } from '../../../chains/solana/reader';
import type { SolanaBlockhash, SolanaIntent, SolanaTokenTerms } from '../../../chains/solana/types';
import { startBank, type TestBank } from '../../local/solana/bank';
import { keyOf, makeToken } from '../../local/solana/tokens';

const codec = createSolanaCodec(solanaDevnet);
const [sender, recipient] = [keyOf(1), keyOf(2)];
const SOL = 1_000_000_000n;

let bank: TestBank;
let reader: ReturnType<typeof createSolanaReader>;
let gateway: ReturnType<typeof createSolanaGateway>;

beforeAll(async () => {
  bank = await startBank();
  const rpc = createRpc('SolanaDevnet', [bank.url]);
  reader = createSolanaReader('SolanaDevnet', rpc);
  gateway = createSolanaGateway('SolanaDevnet', rpc, [rpc]);
  bank.call('requestAirdrop', sender.address, Number(10n * SOL));
  bank.call('strongroom_advanceSlots', 8);
});
afterAll(() => bank.close());

const advance = (slots: number) => bank.call('strongroom_advanceSlots', slots);

function signed(intent: Partial<SolanaIntent>, latest: SolanaBlockhash, token?: SolanaTokenTerms) {
  const whole: SolanaIntent = {
    network: 'SolanaDevnet',
    from: sender.address,
    to: recipient.address,
    amountUnits: SOL,
    asset: { kind: 'Native' },
    ...intent,
  };
  const lifetime = { kind: 'blockhash', ...latest } as const;
  const budget = { computeUnitLimit: 100_000, microLamportsPerUnit: 1_000n };
  const unsigned = codec.build(whole, { lifetime, ...budget, ...(token ? { token } : {}) });
  const signature = ed25519.sign(Buffer.from(unsigned.bytesHex.slice(2), 'hex'), sender.secret);
  return { unsigned, ...codec.attach(unsigned, `0x${Buffer.from(signature).toString('hex')}`, sender.address) };
}

test('a transfer is simulated, sent, sent again, and found in a final block with its fee', async () => {
  const { unsigned, rawHex, txHash } = signed({ memo: 'invoice7' }, await reader.latestBlockhash());
  expect(await reader.simulate(unsigned.bytesHex)).toBeGreaterThan(100);
  expect(await gateway.isKnown(txHash)).toBe(false);
  expect(await gateway.broadcast(rawHex, txHash)).toBe('Accepted');
  expect(await gateway.broadcast(rawHex, txHash)).toBe('AlreadyKnown');
  expect(await gateway.isKnown(txHash)).toBe(true);
  advance(8);
  const receipt = (await gateway.receipts([txHash])).get(txHash);
  expect(receipt).toMatchObject({ success: true, feeUnits: 5_100n });
  expect(await gateway.block(receipt?.height ?? 0)).toMatchObject({ hash: receipt?.blockHash, txHashes: [txHash] });
  expect(await reader.nativeBalance(recipient.address)).toBe(SOL);
});

test('the chain of parent hashes is unbroken across slots without a block', async () => {
  const head = await gateway.head();
  let parent = head.hash;
  for (let height = head.height; height > head.height - 18; height -= 1) {
    const block = await gateway.block(height);
    expect(block?.hash).toBe(parent);
    parent = block?.parentHash ?? '';
  }
  expect(await gateway.block(head.height + 1_000)).toBeUndefined();
});

test('a refusal by the network is reported in plain language', async () => {
  const latest = await reader.latestBlockhash();
  const poor = signed({ amountUnits: 100n * SOL }, latest);
  await expect(reader.simulate(poor.unsigned.bytesHex)).rejects.toThrow('insufficient funds');
  expect(await gateway.broadcast(poor.rawHex, poor.txHash)).toEqual({
    kind: 'Rejected',
    reason: 'Transaction simulation failed: Error processing Instruction 2: custom program error: 0x1',
  });
  const dust = signed({ amountUnits: 5n, to: keyOf(9).address }, latest);
  await expect(reader.simulate(dust.unsigned.bytesHex)).rejects.toThrow('less SOL than the rent-exempt minimum');
});

test('a transaction is reported as expired only at a later, second check, and never while the network has the transaction', async () => {
  const latest = await reader.latestBlockhash();
  const context = {
    lifetime: { kind: 'blockhash', lastValidBlockHeight: latest.lastValidBlockHeight.toString() },
    slot: latest.slot,
  };
  const neverOf = (txHash: string) => gateway.whyNever?.({ txHash, rawHex: '0x', fromAddress: '', nonce: null, context });
  const sent = signed({ amountUnits: 11n + SOL }, latest);
  const kept = signed({ amountUnits: 12n + SOL }, latest);
  await gateway.broadcast(sent.rawHex, sent.txHash);
  expect(await neverOf(kept.txHash)).toBeUndefined();
  advance(220);
  expect(await gateway.broadcast(kept.rawHex, kept.txHash)).toMatchObject({ kind: 'Rejected' });
  expect(await neverOf(kept.txHash)).toBeUndefined();
  expect(await neverOf(kept.txHash)).toBeUndefined();
  expect(await neverOf(sent.txHash)).toBeUndefined();
  advance(50);
  expect(await neverOf(sent.txHash)).toBeUndefined();
  expect(await neverOf(kept.txHash)).toMatchObject({ reason: expect.stringContaining('expired'), isForeign: false });
});

test('tokens can be transferred, and the reader lists the extensions that prevent a transfer', async () => {
  const plain = await makeToken(bank.call, { program: 'Spl', mint: keyOf(21), owner: sender.address, amount: 5_000_000n });
  const bound = { program: 'Spl2022', extension: 'nonTransferable', mint: keyOf(22), owner: sender.address, amount: 0n } as const;
  await makeToken(bank.call, bound);
  expect(await reader.mint(plain)).toEqual({ program: 'Spl', decimals: 6, blockers: [] });
  expect(await reader.mint(keyOf(22).address)).toMatchObject({ program: 'Spl2022', blockers: ['NonTransferable'] });
  expect(await reader.mint(sender.address)).toBeUndefined();
  const [source = '', destination = ''] = await Promise.all(
    [sender, recipient].map(({ address: owner }) => codec.associatedTokenAddress(owner, plain, 'Spl')),
  );
  const token = { program: 'Spl', decimals: 6, source, destination, createsDestination: true } as const;
  const { rawHex, txHash } = signed(
    { asset: { kind: 'Spl', contract: plain }, amountUnits: 1_500_000n, memo: 'tokens' },
    await reader.latestBlockhash(),
    token,
  );
  expect(await gateway.broadcast(rawHex, txHash)).toBe('Accepted');
  expect(await reader.tokenAccounts([source, destination])).toMatchObject([{ units: 3_500_000n }, { units: 1_500_000n }]);
});
