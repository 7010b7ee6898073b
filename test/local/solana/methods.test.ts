import { z } from 'zod';
import { FAUCET_ADDRESS } from '../../../local/solana/faucet';
import { startBank, type TestBank } from './bank';

const SOMEBODY = 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9';

const Status = z.object({ value: z.array(z.object({ slot: z.number(), confirmationStatus: z.string() }).nullable()) });
const Balance = z.object({ value: z.number() });
const Block = z.object({
  blockhash: z.string(),
  previousBlockhash: z.string(),
  blockHeight: z.number(),
  signatures: z.array(z.string()),
});

let bank: TestBank;
beforeAll(async () => {
  bank = await startBank();
});
afterAll(() => bank.close());

const block = (slot: number) => Block.parse(bank.call('getBlock', slot, { commitment: 'finalized' }));
const balance = () => Balance.parse(bank.call('getBalance', SOMEBODY)).value;
const slotOf = (signature: unknown) => Status.parse(bank.call('getSignatureStatuses', [signature])).value[0]?.slot ?? -1;

test('a transaction is processed at once, is final a few slots later, and outlives the process', () => {
  const signature = bank.call('requestAirdrop', SOMEBODY, 2_000_000_000);
  expect(Status.parse(bank.call('getSignatureStatuses', [signature])).value[0]?.confirmationStatus).toBe('processed');
  const slot = slotOf(signature);
  expect(() => bank.call('getBlock', slot, { commitment: 'finalized' })).toThrow('Block not available');
  bank.call('strongroom_advanceSlots', 8);
  const before = block(slot);
  expect(before.signatures).toEqual([signature]);
  bank.restart();
  expect(balance()).toBe(2_000_000_000);
  expect(block(slot)).toEqual(before);
  expect(Status.parse(bank.call('getSignatureStatuses', [signature])).value[0]?.confirmationStatus).toBe('finalized');
});

test('blocks follow each other across slots without a block', () => {
  bank.call('strongroom_advanceSlots', 40);
  const last = z.number().parse(bank.call('getSlot', { commitment: 'finalized' }));
  const slots = z.array(z.number()).parse(bank.call('getBlocks', last - 20, last));
  expect(slots.length).toBeLessThan(21);
  const blocks = slots.map(block);
  for (const [index, { previousBlockhash, blockHeight }] of blocks.slice(1).entries()) {
    expect(previousBlockhash).toBe(blocks[index]?.blockhash);
    expect(blockHeight).toBe((blocks[index]?.blockHeight ?? 0) + 1);
  }
  const skipped = Array.from({ length: 20 }, (_, back) => last - back).find((slot) => !slots.includes(slot)) ?? -1;
  expect(() => block(skipped)).toThrow('was skipped');
});

const Accounts = z.object({
  blockTime: z.int(),
  transactions: z.array(
    z.object({
      transaction: z.object({
        signatures: z.array(z.string()),
        accountKeys: z.array(z.object({ pubkey: z.string(), signer: z.boolean(), writable: z.boolean(), source: z.string() })),
      }),
      meta: z.object({ fee: z.number(), preBalances: z.array(z.unknown()), postBalances: z.array(z.unknown()) }),
    }),
  ),
});

test('a block contains the balances before and after each transaction, with all digits', async () => {
  const signature = bank.call('requestAirdrop', SOMEBODY, 1_000_000_001);
  bank.call('strongroom_advanceSlots', 8);
  const params = [slotOf(signature), { commitment: 'confirmed', transactionDetails: 'accounts', rewards: false }];
  const { transactions } = Accounts.parse(bank.call('getBlock', ...params));
  expect(transactions.map(({ transaction }) => transaction.signatures)).toEqual([[signature]]);
  const { accountKeys = [] } = transactions[0]?.transaction ?? {};
  expect(accountKeys[0]).toEqual({ pubkey: FAUCET_ADDRESS, signer: true, writable: true, source: 'transaction' });
  expect(accountKeys.at(-1)).toMatchObject({ signer: false, writable: false });
  const { fee = 0, preBalances = [], postBalances = [] } = transactions[0]?.meta ?? {};
  const paid = accountKeys.map((_, at) => BigInt(String(preBalances[at])) - BigInt(String(postBalances[at])));
  expect(paid[0]).toBe(1_000_000_001n + BigInt(fee));
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBlock', params });
  const reply = await fetch(bank.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  expect(await reply.text()).toContain(`"preBalances":[${preBalances[0]},`);
  expect(Number.isSafeInteger(Number(preBalances[0]))).toBe(false);
});

test('a blockhash expires after 150 blocks, also across a restart', () => {
  const { blockhash } = z
    .object({ value: z.object({ blockhash: z.string() }) })
    .parse(bank.call('getLatestBlockhash', { commitment: 'finalized' })).value;
  const isValid = () => z.object({ value: z.boolean() }).parse(bank.call('isBlockhashValid', blockhash)).value;
  bank.call('strongroom_advanceSlots', 100);
  bank.restart();
  expect(isValid()).toBe(true);
  bank.call('strongroom_advanceSlots', 70);
  expect(isValid()).toBe(false);
});
