import { toHex } from 'viem';
import { serializeTransaction } from 'viem/op-stack';
import { ETHEREUM } from '../../../../chains/evm/networks/ethereum';
import { OTHERS } from '../../../../chains/evm/networks/mainstream';
import { OP_ROLLUPS } from '../../../../chains/evm/networks/rollups';
import { OWN_WAYS } from '../../../../chains/evm/networks/with-own-transactions';
import { TransactionReply } from '../../../../chains/evm/scan/block-schemas';
import { rawOf } from '../../../../chains/evm/scan/transaction-bytes';
import type { EvmNetwork } from '../../../../chains/evm/types';
import type { ChainMovement } from '../../../../domain/movements';
import { blockMovements } from '../../../support/block-contents';
import { scanned } from './scripted-node';

const ALICE = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const CONTRACT = '0x000000000000000000000000000000000000dEaD';
const SYSTEM = '0xfffffffffffffffffffffffffffffffffffffffe';
const ARC_USDC = '0x3600000000000000000000000000000000000000';
const CELO = '0x471EcE3750Da237f93B8E339c536989b8978a438';
const POL = '0x0000000000000000000000000000000000001010';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const HASH = `0x${'ab'.repeat(32)}`;
const GAS_USED = 21_000n;
const PRICE = 7n;
const FEE = GAS_USED * PRICE;

type Payment = { readonly contract: string; readonly from: string; readonly to: string; readonly amount: bigint };
type Tx = {
  readonly from?: string;
  readonly to?: string;
  readonly value?: bigint;
  readonly status?: string;
  readonly more?: object;
};

const word = (text: string) => `0x${text.slice(2).toLowerCase().padStart(64, '0')}`;
const logOf = ({ contract, from, to, amount }: Payment, at: number) => ({
  ...{
    address: contract.toLowerCase(),
    topics: [TRANSFER, word(from), word(to)],
    data: word(toHex(amount)),
    logIndex: toHex(at),
  },
});

/** The replies of a node for a block with one transaction. */
function told(
  { from = ALICE, to = BOB, value = 0n, status = '0x1', more = {} }: Tx,
  logs: readonly Payment[],
  calls?: readonly object[],
) {
  const tx = {
    ...{ hash: HASH, type: '0x2', nonce: '0x0', gas: '0x5208', from: from.toLowerCase(), to: to.toLowerCase() },
    ...{ value: toHex(value), input: '0x', ...more },
  };
  const block = {
    ...{
      hash: HASH,
      parentHash: HASH,
      sha3Uncles: HASH,
      miner: CONTRACT,
      stateRoot: HASH,
      transactionsRoot: HASH,
      receiptsRoot: HASH,
    },
    ...{ logsBloom: '0x', number: '0x1', gasLimit: '0x1', gasUsed: '0x1', timestamp: '0x1', extraData: '0x', transactions: [tx] },
  };
  const receipt = {
    ...{ transactionHash: HASH, blockHash: HASH, status, cumulativeGasUsed: toHex(GAS_USED), gasUsed: toHex(GAS_USED) },
    ...{ effectiveGasPrice: toHex(PRICE), logsBloom: '0x', logs: logs.map(logOf) },
  };
  const frame = { type: 'CALL', from: tx.from, to: tx.to, value: tx.value, ...(calls ? { calls } : {}) };
  return { block, receipts: [receipt], ...(calls ? { traces: [{ txHash: HASH, result: frame }] } : {}) };
}

async function movementsOn(network: EvmNetwork, node: ReturnType<typeof told>, address: string) {
  const block = await scanned(network, node);
  return (await blockMovements(block, (plain) => plain === address.toLowerCase())).map(shown);
}
const shown = ({ kind, direction, amountUnits, feeUnits, ordinal, contract }: ChainMovement) => ({
  ...{ kind, direction, amountUnits, ordinal },
  ...(feeUnits === undefined ? {} : { feeUnits }),
  ...(contract === undefined ? {} : { contract }),
});
const native = (direction: string, amountUnits: bigint, ordinal: string) => ({
  kind: 'NativeTransfer',
  direction,
  amountUnits,
  ordinal,
});

describe('Arc, where the coin is USDC', () => {
  const MICRO = 10n ** 12n;
  const payment = { from: ALICE, to: BOB, amount: 5n * MICRO };

  test('a plain payment is one movement, and its log is not a second movement', async () => {
    const node = told({ value: payment.amount }, [{ contract: SYSTEM, ...payment }]);
    expect(await movementsOn(OTHERS.ArcTestnet, node, BOB)).toEqual([native('In', payment.amount, 'value')]);
    expect(await movementsOn(OTHERS.ArcTestnet, node, ALICE)).toEqual([
      { ...native('Out', payment.amount, 'value'), feeUnits: FEE },
    ]);
    expect(await scanned(OTHERS.ArcTestnet, node)).toMatchObject({ sight: 'Logs' });
  });

  test('a payment through the contract of USDC is one movement of the coin, and the sender pays the fee', async () => {
    const copy = { contract: ARC_USDC, ...payment, amount: 5n };
    const node = told({ to: ARC_USDC }, [{ contract: SYSTEM, ...payment }, copy]);
    expect(await movementsOn(OTHERS.ArcTestnet, node, BOB)).toEqual([native('In', payment.amount, 'log:0')]);
    expect(await movementsOn(OTHERS.ArcTestnet, node, ALICE)).toEqual([
      { ...native('Out', 0n, 'value'), feeUnits: FEE },
      native('Out', payment.amount, 'log:0'),
    ]);
  });

  test('only one of two equal payments is the value of the transaction', async () => {
    const logs = [payment, payment, { ...payment, amount: 6n }].map((one) => ({ contract: SYSTEM, ...one }));
    const found = await movementsOn(OTHERS.ArcTestnet, told({ value: payment.amount }, logs), BOB);
    expect(found).toEqual([
      native('In', payment.amount, 'value'),
      native('In', payment.amount, 'log:1'),
      native('In', 6n, 'log:2'),
    ]);
  });

  test('a payment whose amount differs from the value of the transaction is a separate payment', async () => {
    const node = told({ value: 0n }, [{ contract: SYSTEM, ...payment }]);
    expect(await movementsOn(OTHERS.ArcTestnet, node, BOB)).toEqual([native('In', payment.amount, 'log:0')]);
  });

  test('coins that are made or destroyed are movements, and other tokens stay tokens', async () => {
    const zero = `0x${'0'.repeat(40)}`;
    const node = told({ from: CONTRACT, to: ARC_USDC }, [
      { contract: SYSTEM, from: zero, to: BOB, amount: 9n * MICRO },
      { contract: ARC_USDC, from: zero, to: BOB, amount: 9n },
      { contract: SYSTEM, from: BOB, to: zero, amount: 4n * MICRO },
      { contract: ARC_USDC, from: BOB, to: zero, amount: 4n },
      { contract: CONTRACT, from: ALICE, to: BOB, amount: 3n },
    ]);
    expect(await movementsOn(OTHERS.ArcTestnet, node, BOB)).toEqual([
      native('In', 9n * MICRO, 'log:0'),
      native('Out', 4n * MICRO, 'log:2'),
      { kind: 'Erc20Transfer', direction: 'In', amountUnits: 3n, ordinal: 'log:4', contract: CONTRACT },
    ]);
  });

  test('a transaction that failed moves only its fee', async () => {
    const node = told({ value: 5n, status: '0x0' }, []);
    expect(await movementsOn(OTHERS.ArcTestnet, node, ALICE)).toEqual([{ ...native('Out', 0n, 'value'), feeUnits: FEE }]);
    expect(await movementsOn(OTHERS.ArcTestnet, node, BOB)).toEqual([]);
  });
});

test('if values and calls already show a payment, its log of EIP-7708 does not add a second payment', async () => {
  const call = { type: 'CALL', from: BOB.toLowerCase(), to: ALICE.toLowerCase(), value: '0x3' };
  const logs = [
    { contract: SYSTEM, from: ALICE, to: BOB, amount: 5n },
    { contract: SYSTEM, from: BOB, to: ALICE, amount: 3n },
  ];
  const sepolia = { ...ETHEREUM.EthereumSepolia, provesBlocks: false };
  expect(await movementsOn(sepolia, told({ value: 5n }, logs, [call]), ALICE)).toEqual([
    { ...native('Out', 5n, 'value'), feeUnits: FEE },
    native('In', 3n, 'call:0'),
  ]);
});

test('a payment through the contract of CELO is a payment in coins, which no call shows', async () => {
  const precompile = { type: 'CALL', from: CELO.toLowerCase(), to: '0x00000000000000000000000000000000000000fd', value: '0x0' };
  const logs = [{ contract: CELO, from: ALICE, to: BOB, amount: 5n }];
  const node = told({ to: CELO }, logs, [precompile]);
  expect(await movementsOn(OWN_WAYS.Celo, node, BOB)).toEqual([native('In', 5n, 'log:0')]);
  expect(await movementsOn(OWN_WAYS.Celo, node, ALICE)).toEqual([
    { ...native('Out', 0n, 'value'), feeUnits: FEE },
    native('Out', 5n, 'log:0'),
  ]);
  expect(await movementsOn(OWN_WAYS.CeloAlfajores, node, BOB)).toEqual([expect.objectContaining({ kind: 'Erc20Transfer' })]);
  expect(await movementsOn(OWN_WAYS.Celo, told({ value: 5n }, []), BOB)).toEqual([native('In', 5n, 'value')]);
});

test('a payment through the contract of POL is the call that carries the coins, and its log is not a second payment', async () => {
  const call = { type: 'CALL', from: POL, to: BOB.toLowerCase(), value: '0x5' };
  const node = told({ to: POL, value: 5n }, [{ contract: POL, from: ALICE, to: BOB, amount: 5n }], [call]);
  for (const network of [OTHERS.Polygon, OTHERS.PolygonAmoy]) {
    expect(await movementsOn(network, node, BOB)).toEqual([native('In', 5n, 'call:0')]);
    expect(await movementsOn(network, node, ALICE)).toEqual([{ ...native('Out', 5n, 'value'), feeUnits: FEE }]);
  }
});

describe('a deposit into a rollup', () => {
  const deposit = { type: '0x7e', sourceHash: HASH, mint: '0x9', nonce: '0x0' };

  test('makes coins for its sender, even if it then fails', async () => {
    const node = told({ value: 5n, more: deposit }, [], []);
    expect(await movementsOn(OP_ROLLUPS.Base, node, ALICE)).toEqual([
      { ...native('Out', 5n, 'value'), feeUnits: FEE },
      native('In', 9n, 'mint'),
    ]);
    const failed = told({ value: 5n, status: '0x0', more: deposit }, [], []);
    expect(await movementsOn(OP_ROLLUPS.Base, failed, ALICE)).toEqual([
      { ...native('Out', 0n, 'value'), feeUnits: FEE },
      native('In', 9n, 'mint'),
    ]);
    const without = told({ value: 5n, more: { ...deposit, mint: undefined } }, [], []);
    expect(await movementsOn(OP_ROLLUPS.Base, without, ALICE)).toHaveLength(1);
  });

  test.each([
    { mint: 9n, isSystemTx: false },
    { mint: undefined, isSystemTx: true },
  ])('has the bytes that viem writes (%j)', ({ mint, isSystemTx }) => {
    const common = { from: ALICE, to: BOB, gas: 100n } as const;
    const raw = serializeTransaction({
      ...{ ...common, type: 'deposit', sourceHash: HASH as `0x${string}`, value: 5n, data: '0x1234', isSystemTx },
      ...(mint === undefined ? {} : { mint }),
    });
    const reply = { ...deposit, hash: HASH, from: ALICE, to: BOB, gas: '0x64', value: '0x5', input: '0x1234', isSystemTx };
    expect(rawOf(TransactionReply.parse({ ...reply, mint: mint === undefined ? undefined : toHex(mint) }))).toBe(
      raw.toLowerCase(),
    );
    // Another network uses this type for transactions in a different format.
    expect(rawOf(TransactionReply.parse({ ...reply, sourceHash: undefined }))).toBeUndefined();
  });
});

test('a missing value in a node’s reply is not read as a payment of zero', async () => {
  const node = told({ value: 5n, more: { value: undefined } }, []);
  await expect(scanned(OTHERS.ArcTestnet, node)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
});
