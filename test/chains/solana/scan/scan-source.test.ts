import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { base58 } from '@scure/base';
import { type Address, address, createNoopSigner, type Instruction, lamports } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  AuthorityType,
  findAssociatedTokenPda,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getSetAuthorityInstruction,
  getSyncNativeInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import { createGateways } from '../../../../chains/gateways';
import { rpcOptionsOf } from '../../../../chains/network-settings';
import { createRpc } from '../../../../chains/rpc/rpc';
import { solanaDevnet } from '../../../../chains/solana/networks/solana-devnet';
import { createSolanaScanSource } from '../../../../chains/solana/scan/scan-source';
import type { SplProgram } from '../../../../chains/solana/types';
import type { ScannedBlock } from '../../../../chains/types';
import type { ChainMovement } from '../../../../domain/movements';
import { FAUCET_ADDRESS, FAUCET_LAMPORTS } from '../../../../local/solana/faucet';
import { startBank, type TestBank } from '../../../local/solana/bank';
import { type Key, keyOf, makeToken, sendAs, TOKEN_PROGRAM_OF } from '../../../local/solana/tokens';
import { blockMovements, blockSignatures } from '../../../support/block-contents';

const [alice, bob, carol] = [keyOf(1), keyOf(2), keyOf(3)];
const WRAPPED_SOL = address('So11111111111111111111111111111111111111112');
const SOL = 1_000_000_000n;
/** The fee for one signature, without a price for compute units. */
const FEE = 5_000n;
const DECIMALS = 6;

let bank: TestBank;
let from: number;

beforeAll(async () => {
  bank = await startBank();
  bank.call('requestAirdrop', alice.address, Number(100n * SOL));
  bank.call('requestAirdrop', bob.address, Number(100n * SOL));
});
afterAll(() => bank.close());
beforeEach(() => skipTo());

/** Advances past the blocks of earlier tests. All blocks after `from` belong to the current test. */
const skipTo = (): void => {
  bank.call('strongroom_advanceSlots', 8);
  from = bank.call('getSlot', { commitment: 'confirmed' }) as number;
};

const sourceOver = (...urls: string[]) => {
  const rpcOver = (some: readonly string[]) => createRpc(solanaDevnet.name, some, rpcOptionsOf(solanaDevnet, {}));
  return createSolanaScanSource(
    solanaDevnet.name,
    rpcOver(urls),
    urls.map((url) => rpcOver([url])),
  );
};

async function blocks(urls: readonly string[] = [bank.url]): Promise<ScannedBlock[]> {
  bank.call('strongroom_advanceSlots', 8);
  const source = sourceOver(...urls);
  const { height } = await source.head();
  const found = await Promise.all(Array.from({ length: height - from }, (_, at) => source.block(from + 1 + at)));
  return found.filter((block) => block !== 'Skipped' && block !== undefined);
}

const movementsIn = async (some: readonly ScannedBlock[], isWatched: (plain: string) => boolean) =>
  (await Promise.all(some.map((block) => blockMovements(block, isWatched)))).flat();

type Told = Partial<ChainMovement>;
async function movementsOf(...watched: readonly string[]): Promise<Told[]> {
  const found = await movementsIn(await blocks(), (one) => watched.includes(one));
  return found.map(({ txHash: _hash, place: _place, ...told }) => told);
}

const paySol = (payer: Key, to: string, amount: bigint): Instruction =>
  getTransferSolInstruction({ source: createNoopSigner(payer.address), destination: address(to), amount: lamports(amount) });

const accountOf = async (owner: string, mint: string, program: SplProgram): Promise<Address> =>
  (await findAssociatedTokenPda({ owner: address(owner), mint: address(mint), tokenProgram: TOKEN_PROGRAM_OF[program] }))[0];

async function openAccount(payer: Key, owner: string, mint: string, program: SplProgram): Promise<Instruction> {
  const seeds = { owner: address(owner), mint: address(mint), tokenProgram: TOKEN_PROGRAM_OF[program] };
  const ata = await accountOf(owner, mint, program);
  return getCreateAssociatedTokenIdempotentInstruction({ payer: createNoopSigner(payer.address), ata, ...seeds });
}

async function payTokens(payer: Key, to: string, mint: string, amount: bigint, program: SplProgram): Promise<Instruction> {
  const [source, destination] = [await accountOf(payer.address, mint, program), await accountOf(to, mint, program)];
  const authority = createNoopSigner(payer.address);
  const input = { source, mint: address(mint), destination, authority, amount, decimals: DECIMALS };
  return getTransferCheckedInstruction(input, { programAddress: TOKEN_PROGRAM_OF[program] });
}

const native = { kind: 'NativeTransfer', ordinal: 'value' } as const;

test('a payment of SOL is one movement on each side, and the movement of the fee payer carries the fee', async () => {
  await sendAs(bank.call, [alice], [paySol(alice, bob.address, SOL)]);
  const sides = { ...native, from: alice.address, to: bob.address, amountUnits: SOL };
  expect(await movementsOf(alice.address, bob.address)).toEqual([
    { ...sides, address: alice.address, direction: 'Out', feeUnits: FEE },
    { ...sides, address: bob.address, direction: 'In' },
  ]);
});

test('a fee payer who does not send funds has a movement of zero, and the sender does not pay a fee', async () => {
  await sendAs(bank.call, [bob, alice], [paySol(alice, carol.address, SOL)]);
  expect(await movementsOf(alice.address, bob.address)).toEqual([
    { ...native, address: bob.address, direction: 'Out', from: bob.address, amountUnits: 0n, feeUnits: 2n * FEE },
    { ...native, address: alice.address, direction: 'Out', from: alice.address, to: carol.address, amountUnits: SOL },
  ]);
});

test('a transaction that failed moves only its fee', async () => {
  await sendAs(bank.call, [alice], [paySol(alice, bob.address, 1_000_000n * SOL)], { skipPreflight: true });
  expect(await movementsOf(alice.address, bob.address)).toEqual([
    {
      ...native,
      address: alice.address,
      direction: 'Out',
      from: alice.address,
      amountUnits: 0n,
      feeUnits: FEE,
      isReverted: true,
    },
  ]);
});

test('for a payment to two recipients, the sender’s movement has no recipient, and each recipient’s movement has the sender', async () => {
  await sendAs(bank.call, [alice], [paySol(alice, bob.address, SOL), paySol(alice, carol.address, 2n * SOL)]);
  expect(await movementsOf(alice.address, carol.address)).toEqual([
    { ...native, address: alice.address, direction: 'Out', from: alice.address, amountUnits: 3n * SOL, feeUnits: FEE },
    { ...native, address: carol.address, direction: 'In', from: alice.address, to: carol.address, amountUnits: 2n * SOL },
  ]);
});

test.each(['Spl', 'Spl2022'] as const)(
  '%s tokens are seen in existing accounts and in newly opened accounts',
  async (program) => {
    const fill = { Spl: 31, Spl2022: 32 }[program];
    const mint = await makeToken(bank.call, {
      ...{ program, mint: keyOf(fill), owner: alice.address, amount: 9_000n, further: [bob.address] },
    });
    skipTo();
    await sendAs(bank.call, [alice], [await payTokens(alice, bob.address, mint, 40n, program)]);
    await sendAs(
      bank.call,
      [alice],
      [await openAccount(alice, carol.address, mint, program), await payTokens(alice, carol.address, mint, 2n, program)],
    );
    const token = { kind: `${program}Transfer`, ordinal: `token:${mint}`, contract: mint, decimals: DECIMALS };
    const found = await movementsOf(bob.address, carol.address);
    expect(found).toEqual([
      { ...token, address: bob.address, direction: 'In', from: alice.address, to: bob.address, amountUnits: 40n },
      { ...token, address: carol.address, direction: 'In', from: alice.address, to: carol.address, amountUnits: 2n },
    ]);
  },
);

test('a sender who opens the account of the recipient pays its rent, and sends the tokens', async () => {
  const mint = await makeToken(bank.call, { program: 'Spl', mint: keyOf(33), owner: alice.address, amount: 9_000n });
  skipTo();
  await sendAs(
    bank.call,
    [alice],
    [await openAccount(alice, bob.address, mint, 'Spl'), await payTokens(alice, bob.address, mint, 2n, 'Spl')],
  );
  const rent = BigInt(bank.call('getMinimumBalanceForRentExemption', 165) as number);
  const account = await accountOf(bob.address, mint, 'Spl');
  expect(await movementsOf(alice.address)).toEqual([
    { ...native, address: alice.address, direction: 'Out', from: alice.address, to: account, amountUnits: rent, feeUnits: FEE },
    expect.objectContaining({ kind: 'SplTransfer', direction: 'Out', to: bob.address, amountUnits: 2n }),
  ]);
});

test('the fee that a token withholds from a transfer is not part of the amount of the recipient', async () => {
  const mint = await makeToken(bank.call, {
    ...{ program: 'Spl2022', extension: 'fee', mint: keyOf(34), owner: alice.address, amount: 9_000n, further: [bob.address] },
  });
  skipTo();
  await sendAs(bank.call, [alice], [await payTokens(alice, bob.address, mint, 1_000n, 'Spl2022')]);
  const [, sent, received] = await movementsOf(alice.address, bob.address);
  expect(sent).toMatchObject({
    kind: 'Spl2022Transfer',
    direction: 'Out',
    from: alice.address,
    to: bob.address,
    amountUnits: 1_000n,
  });
  expect(received).toMatchObject({ direction: 'In', from: alice.address, to: bob.address, amountUnits: 990n });
});

test('a token account that gets another owner moves its tokens', async () => {
  const mint = await makeToken(bank.call, { program: 'Spl', mint: keyOf(35), owner: alice.address, amount: 77n });
  skipTo();
  const owned = await accountOf(alice.address, mint, 'Spl');
  const owner = createNoopSigner(alice.address);
  await sendAs(
    bank.call,
    [alice],
    [getSetAuthorityInstruction({ owned, owner, authorityType: AuthorityType.AccountOwner, newAuthority: bob.address })],
  );
  expect(await movementsOf(bob.address)).toEqual([
    expect.objectContaining({ kind: 'SplTransfer', direction: 'In', from: alice.address, to: bob.address, amountUnits: 77n }),
  ]);
});

test('SOL that is wrapped and unwrapped appears on both sides, and the fee is on a separate movement', async () => {
  const account = await accountOf(alice.address, WRAPPED_SOL, 'Spl');
  await sendAs(
    bank.call,
    [alice],
    [
      await openAccount(alice, alice.address, WRAPPED_SOL, 'Spl'),
      paySol(alice, account, SOL),
      getSyncNativeInstruction({ account }),
    ],
  );
  const wrapped = await movementsOf(alice.address);
  const rent = BigInt(bank.call('getMinimumBalanceForRentExemption', 165) as number);
  expect(wrapped).toMatchObject([
    { direction: 'Out', to: account, amountUnits: SOL + rent, feeUnits: FEE },
    { direction: 'In', contract: WRAPPED_SOL, amountUnits: SOL },
  ]);
  skipTo();
  const owner = createNoopSigner(alice.address);
  await sendAs(bank.call, [alice], [getCloseAccountInstruction({ account, destination: alice.address, owner })]);
  expect(await movementsOf(alice.address)).toMatchObject([
    { kind: 'NativeTransfer', direction: 'Out', amountUnits: 0n, feeUnits: FEE },
    { kind: 'NativeTransfer', direction: 'In', from: account, amountUnits: SOL + rent },
    { kind: 'SplTransfer', direction: 'Out', contract: WRAPPED_SOL, amountUnits: SOL },
  ]);
});

test('a balance above the exact range of a JavaScript number is read exactly', async () => {
  expect(FAUCET_LAMPORTS > BigInt(Number.MAX_SAFE_INTEGER)).toBe(true);
  bank.call('requestAirdrop', carol.address, 1_000_000_001);
  const memoFee = FEE;
  expect(await movementsOf(FAUCET_ADDRESS)).toMatchObject([{ direction: 'Out', amountUnits: 1_000_000_001n, feeUnits: memoFee }]);
});

test('blocks are linked across slots without a block, and the last block is the head', async () => {
  const source = sourceOver(bank.url);
  const found = await blocks();
  // The chain of parents begins at or before the first slot of the test, so no slot is left out.
  expect(found[0]?.parentHeight).toBeLessThanOrEqual(from);
  expect((found.at(-1)?.height ?? 0) - from).toBeGreaterThan(6);
  for (const [at, block] of found.entries()) {
    const before = found[at - 1];
    if (before) expect([block.parentHash, block.parentHeight]).toEqual([before.hash, before.height]);
    expect(block).toMatchObject({ proof: 'OneNode', sight: 'Balances', date: expect.any(Date) });
  }
  const head = await source.head();
  expect(await source.block(head.height)).toMatchObject({ hash: head.hash });
  const skipped = Array.from({ length: 16 }, (_, back) => head.height - back).find((height) => height % 16 === 11) ?? -1;
  expect(await source.block(skipped)).toBe('Skipped');
  expect(await source.block(head.height + 1_000)).toBeUndefined();
  const final = await source.finalHeight?.();
  expect(final).toBeLessThan((await source.head()).height);
});

test('the source reports the ids of the transactions in the form of the gateway, with the slot of the parent', async () => {
  await sendAs(bank.call, [alice], [paySol(alice, bob.address, SOL)]);
  const found = await blocks();
  bank.call('strongroom_advanceSlots', 40);
  const gateway = createGateways({ [solanaDevnet.name]: [bank.url] })(solanaDevnet.name);
  const told = (height: number) => new Promise((resolve) => void sourceOver(bank.url).block(height, resolve));
  for (const { height, parentHeight } of found)
    expect(await told(height)).toEqual({ ...(await gateway.block(height)), parentHeight });
});

type Reply = { readonly result?: unknown; readonly error?: unknown };

async function changing(
  change: (method: string, reply: Reply) => Reply,
): Promise<{ readonly url: string; readonly server: Server }> {
  const forward = async (body: string): Promise<string> => {
    const { method, id } = JSON.parse(body) as { method: string; id: number };
    const reply = await fetch(bank.url, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    const { result, error } = (await reply.json()) as Reply;
    return JSON.stringify({ jsonrpc: '2.0', id, ...change(method, { result, error }) });
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    // A test that ends early closes the connections of the calls that are under way.
    response.end(await forward(body).catch(() => ''));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

async function withNode<T>(change: Parameters<typeof changing>[0], work: (url: string) => Promise<T>): Promise<T> {
  const { url, server } = await changing(change);
  try {
    return await work(url);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const ofBlock = (change: (reply: Reply) => Reply) => (method: string, reply: Reply) =>
  method === 'getBlock' ? change(reply) : reply;

test('two nodes that return the same block prove the block, and no block is returned if two nodes differ', async () => {
  await sendAs(bank.call, [alice], [paySol(alice, bob.address, SOL)]);
  expect((await blocks([bank.url, bank.url])).every(({ proof }) => proof === 'TwoNodes')).toBe(true);
  const withoutTransactions = ofBlock(({ result }) => ({ result: { ...(result as object), transactions: [] } }));
  await withNode(withoutTransactions, async (url) => {
    await expect(blocks([bank.url, url])).rejects.toMatchObject({ code: 'NetworkUnavailable' });
    const third = await blocks([url, bank.url, bank.url]);
    expect(await movementsIn(third, (one) => one === bob.address)).toHaveLength(1);
  });
});

test('a node that claims an empty slot, lags or fails does not decide alone, and is not needed if two other nodes agree', async () => {
  const { height } = await sourceOver(bank.url).head();
  const refusal = (code: number) => ofBlock(() => ({ error: { code, message: 'no' } }));
  await withNode(refusal(-32_007), async (url) => {
    await expect(sourceOver(url, bank.url).block(height)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
    expect(await sourceOver(url, bank.url, bank.url).block(height)).toMatchObject({ proof: 'TwoNodes' });
  });
  for (const code of [-32_004, -32_014])
    await withNode(refusal(code), async (url) => {
      expect(await sourceOver(url, bank.url).block(height)).toBeUndefined();
      expect(await sourceOver(url, bank.url, bank.url).block(height)).toMatchObject({ proof: 'TwoNodes' });
    });
  await withNode(refusal(-32_000), async (url) => {
    await expect(sourceOver(url, bank.url).block(height)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
    expect(await sourceOver(url, bank.url, bank.url).block(height)).toMatchObject({ proof: 'TwoNodes' });
  });
});

type Meta = { preBalances: unknown[] };
test('no block is returned if the reply lacks a balance or the time', async () => {
  await sendAs(bank.call, [alice], [paySol(alice, bob.address, SOL)]);
  const changed = (change: (meta: Meta) => object) =>
    ofBlock(({ result, ...rest }) => {
      const block = result as { transactions: { meta: Meta }[] } | undefined;
      return block
        ? { result: { ...block, transactions: block.transactions.map((tx) => ({ ...tx, meta: change(tx.meta) })) } }
        : rest;
    });
  const cut = changed((meta) => ({ ...meta, preBalances: meta.preBalances.slice(1) }));
  const untold = changed((meta) => ({ ...meta, preTokenBalances: null }));
  const timeless = ofBlock(({ result, ...rest }) => (result ? { result: { ...(result as object), blockTime: null } } : rest));
  for (const change of [cut, untold, timeless])
    await withNode(change, (url) => expect(blocks([url])).rejects.toMatchObject({ code: 'NetworkUnavailable' }));
});

type Signed = { transaction: { signatures: string[]; accountKeys: { pubkey: string; signer: boolean }[] } };
describe('the signatures of a block', () => {
  const signaturesOf = async (some: readonly ScannedBlock[], isWatched: (plain: string) => boolean) =>
    (await Promise.all(some.map((block) => blockSignatures(block, isWatched)))).flat();
  const signaturesFrom = async (urls: readonly string[], watched: string) =>
    signaturesOf(await blocks(urls), (one) => one === watched);

  test('are those of each signer, each as two words of 32 bytes, and are genuine', async () => {
    await sendAs(bank.call, [bob, alice], [paySol(alice, carol.address, SOL)]);
    const all = await signaturesOf(await blocks(), () => true);
    expect(all.map(({ address: signer }) => signer)).toEqual([bob.address, alice.address]);
    expect(await Promise.all(all.map(({ isGenuine }) => isGenuine()))).toEqual([true, true]);
    const [first] = all;
    expect(base58.encode(Buffer.from(`${first?.r.slice(2)}${first?.s.slice(2)}`, 'hex'))).toBe(first?.txHash);
  });

  test('are not genuine if the node reports a signer who did not sign', async () => {
    await sendAs(bank.call, [bob, alice], [paySol(alice, carol.address, SOL)]);
    const changed = (change: (told: Signed['transaction']) => object) =>
      ofBlock(({ result, ...rest }) => {
        const block = result as { transactions: Signed[] } | undefined;
        return block
          ? {
              result: {
                ...block,
                transactions: block.transactions.map((tx) => ({ ...tx, transaction: change(tx.transaction) })),
              },
            }
          : rest;
      });
    const accused = changed((told) => ({
      ...told,
      accountKeys: told.accountKeys.map((key) => (key.pubkey === alice.address ? { ...key, pubkey: carol.address } : key)),
    }));
    const swapped = changed((told) => ({ ...told, signatures: [...told.signatures].reverse() }));
    await withNode(accused, async (url) => {
      const [found] = await signaturesFrom([url], carol.address);
      expect(await found?.isGenuine()).toBe(false);
    });
    await withNode(swapped, async (url) => {
      const [found] = await signaturesFrom([url], alice.address);
      expect(await found?.isGenuine()).toBe(false);
    });
    const missing = changed((told) => ({ ...told, signatures: told.signatures.slice(1) }));
    await withNode(missing, (url) => expect(blocks([url])).rejects.toMatchObject({ code: 'NetworkUnavailable' }));
  });
});
