import { z } from 'zod';
import { createEvmGateway } from '../../../chains/evm/gateway';
import { networkOf } from '../../../chains/networks';
import { createRpc } from '../../../chains/rpc/rpc';
import type { TransferIntent } from '../../../chains/types';
import { result, silence, startFakeNode } from '../rpc/fake-node';
import { FAUCET, startAnvil } from './anvil';

const TO = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const intent = (amountUnits: bigint): TransferIntent => ({
  network: 'EthereumSepolia',
  from: FAUCET,
  to: TO,
  amountUnits,
  asset: { kind: 'Native' },
});
const UNKNOWN = `0x${'11'.repeat(32)}`;

let chain: Awaited<ReturnType<typeof startAnvil>>;
const nextNonce = () => chain.reader.transactionCount(FAUCET, 'pending');

beforeAll(async () => {
  chain = await startAnvil();
  await chain.order('evm_setAutomine', false);
});
afterAll(() => chain.stop());

const mine = () => chain.order('anvil_mine', '0x1');

test('a transfer is accepted, known and mined, and costs the fee in its receipt', async () => {
  const before = await chain.reader.nativeBalance(FAUCET);
  const signed = await chain.signTransfer(intent(5n), await nextNonce());
  expect(await chain.gateway.broadcast(signed.rawHex, signed.txHash)).toBe('Accepted');
  expect(await chain.gateway.isKnown(signed.txHash)).toBe(true);
  expect(await chain.gateway.receipts([signed.txHash])).toEqual(new Map());
  await mine();
  const head = await chain.gateway.head();
  const block = await chain.gateway.block(head.height);
  expect(block).toMatchObject({ ...head, txHashes: [signed.txHash] });
  const receipt = (await chain.gateway.receipts([UNKNOWN, signed.txHash])).get(signed.txHash);
  expect(receipt).toMatchObject({ height: head.height, blockHash: head.hash, success: true });
  expect(await chain.reader.nativeBalance(FAUCET)).toBe(before - 5n - (receipt?.feeUnits ?? 0n));
});

test('bytes that are sent again are AlreadyKnown, both while they wait and when they are mined', async () => {
  const signed = await chain.signTransfer(intent(6n), await nextNonce());
  expect(await chain.gateway.broadcast(signed.rawHex, signed.txHash)).toBe('Accepted');
  expect(await chain.gateway.broadcast(signed.rawHex, signed.txHash)).toBe('AlreadyKnown');
  await mine();
  expect(await chain.gateway.broadcast(signed.rawHex, signed.txHash)).toBe('AlreadyKnown');
});

test('a different transaction with a used nonce is NonceTooLow, not AlreadyKnown', async () => {
  const signed = await chain.signTransfer(intent(7n), 0);
  expect(await chain.gateway.broadcast(signed.rawHex, signed.txHash)).toBe('NonceTooLow');
});

test('a replacement that does not pay more is Underpriced', async () => {
  const nonce = await nextNonce();
  const first = await chain.signTransfer(intent(8n), nonce);
  const second = await chain.signTransfer(intent(9n), nonce);
  expect(await chain.gateway.broadcast(first.rawHex, first.txHash)).toBe('Accepted');
  expect(await chain.gateway.broadcast(second.rawHex, second.txHash)).toBe('Underpriced');
  await mine();
});

test('a transaction that the sender cannot pay has the outcome InsufficientFunds', async () => {
  const signed = await chain.signTransfer(intent(10n), await nextNonce());
  await chain.order('anvil_setBalance', FAUCET, '0x1');
  const outcome = await chain.gateway.broadcast(signed.rawHex, signed.txHash);
  await chain.order('anvil_setBalance', FAUCET, '0x21e19e0c9bab2400000');
  expect(outcome).toBe('InsufficientFunds');
});

test('bytes that are not a transaction are rejected with the message of the node', async () => {
  expect(await chain.gateway.broadcast('0x1234', UNKNOWN)).toEqual({
    kind: 'Rejected',
    reason: expect.stringMatching(/decode/i),
  });
});

test('a transfer that fails on the chain has a receipt with success: false and a fee', async () => {
  const signed = await chain.signTransfer(intent(11n), await nextNonce());
  // The recipient becomes a contract that reverts every payment.
  await chain.order('anvil_setCode', TO, '0x60006000fd');
  await chain.gateway.broadcast(signed.rawHex, signed.txHash);
  await mine();
  await chain.order('anvil_setCode', TO, '0x');
  const receipt = (await chain.gateway.receipts([signed.txHash])).get(signed.txHash);
  expect(receipt).toMatchObject({ success: false });
  expect(receipt?.feeUnits).toBeGreaterThan(0n);
});

test('after a reorganisation the height has a different block, and the receipt no longer exists', async () => {
  const signed = await chain.signTransfer(intent(12n), await nextNonce());
  await chain.gateway.broadcast(signed.rawHex, signed.txHash);
  await mine();
  const before = await chain.gateway.head();
  expect((await chain.gateway.receipts([signed.txHash])).size).toBe(1);
  await chain.call('anvil_reorg', [1, []], z.unknown());
  const after = await chain.gateway.block(before.height);
  expect(after?.hash).not.toBe(before.hash);
  expect(await chain.gateway.receipts([signed.txHash])).toEqual(new Map());
  expect(await chain.gateway.broadcast(signed.rawHex, signed.txHash)).toMatch(/^(Accepted|AlreadyKnown)$/);
});

test('there is no block at a height that the chain has not reached', async () => {
  const { height } = await chain.gateway.head();
  expect(await chain.gateway.block(height + 1)).toBeUndefined();
});

test('a broadcast ends as NetworkUnavailable if there is no reply, or if the reply contains a different transaction id', async () => {
  const node = await startFakeNode(silence);
  const gateway = createEvmGateway(
    networkOf('EthereumSepolia'),
    createRpc('EthereumSepolia', [node.url], { timeoutMs: 100 }),
    [],
  );
  await expect(gateway.broadcast('0x02', UNKNOWN)).rejects.toMatchObject({ code: 'NetworkUnavailable', retryable: true });
  node.behave(result(`0x${'22'.repeat(32)}`));
  await expect(gateway.broadcast('0x02', UNKNOWN)).rejects.toMatchObject({ code: 'NetworkUnavailable' });
  await node.stop();
});

test('a receipt for another transaction is a fault of the node', async () => {
  const receipt = {
    transactionHash: `0x${'22'.repeat(32)}`,
    blockNumber: '0x1',
    blockHash: UNKNOWN,
    status: '0x1',
    gasUsed: '0x5208',
    effectiveGasPrice: '0x1',
  };
  const node = await startFakeNode(result(receipt));
  const gateway = createEvmGateway(
    networkOf('EthereumSepolia'),
    createRpc('EthereumSepolia', [node.url], { timeoutMs: 100 }),
    [],
  );
  await expect(gateway.receipts([UNKNOWN])).rejects.toMatchObject({ code: 'NetworkUnavailable', retryable: true });
  expect((await gateway.receipts([receipt.transactionHash])).size).toBe(1);
  await node.stop();
});

test('the data fee of a rollup is part of the fee', async () => {
  const receipt = {
    transactionHash: UNKNOWN,
    blockNumber: '0x1',
    blockHash: UNKNOWN,
    status: '0x1',
    gasUsed: '0x5208',
    effectiveGasPrice: '0x2',
  };
  const node = await startFakeNode(result({ ...receipt, l1Fee: '0x7' }));
  try {
    const gateway = createEvmGateway(networkOf('OptimismSepolia'), createRpc('OptimismSepolia', [node.url]), []);
    expect((await gateway.receipts([UNKNOWN])).get(UNKNOWN)?.feeUnits).toBe(42_007n);
  } finally {
    await node.stop();
  }
});
