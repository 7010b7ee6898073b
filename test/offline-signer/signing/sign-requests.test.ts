import { createPublicKey, verify } from 'node:crypto';
import { parseTransaction, recoverTransactionAddress, serializeTransaction, type TransactionSerialized } from 'viem';
import { signRequests } from '../../../offline-signer/signing/sign-requests';
import { createDevice, inputOf, signaturesOf, vouched } from './fleet';
import { coinPayment, coins, evm, evmPayment, solanaPayment, USDC } from './payments';

const signed = (one: ReturnType<typeof evmPayment>, device = createDevice()) => signRequests(inputOf([vouched(one)]), device);

describe('a signature is valid by an independent library', () => {
  test.each([
    ['the native coin', { kind: 'Native' as const }],
    ['a token', { kind: 'Erc20' as const, contract: USDC }],
  ])('on an EVM network, for %s', async (_name, asset) => {
    const payment = evmPayment('xfr-1', { asset });
    const [signature = ''] = signaturesOf(await signed(payment), 'xfr-1');
    const transaction = parseTransaction(payment.order['bytesHex'] as TransactionSerialized);
    const [r, s] = [`0x${signature.slice(0, 64)}`, `0x${signature.slice(64)}`] as const;
    const senders = await Promise.all(
      [0, 1].map((yParity) =>
        recoverTransactionAddress({
          serializedTransaction: serializeTransaction(transaction as never, { r, s, yParity }) as TransactionSerialized,
        }),
      ),
    );
    expect(senders).toContain(evm.addressOf(payment.key.publicKey));
  });

  test('for both inputs of a Bitcoin transaction', async () => {
    const payment = coinPayment('xfr-2');
    const words = signaturesOf(await signed(payment), 'xfr-2').map((one) => ({
      r: `0x${one.slice(0, 64)}`,
      s: `0x${one.slice(64)}`,
    }));
    expect(words).toHaveLength(2);
    const bytesHex = String(payment.order['bytesHex']);
    expect(coins.attach({ bytesHex }, words, payment.order.publicKeyHex).txHash).toMatch(/^[0-9a-f]{64}$/);
  });

  test('for a Solana message with a durable nonce', async () => {
    const payment = solanaPayment('xfr-3');
    const [signature = ''] = signaturesOf(await signed(payment), 'xfr-3');
    const spki = Buffer.from(`302a300506032b6570032100${payment.key.publicKey}`, 'hex');
    const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
    const message = Buffer.from(String(payment.order['bytesHex']).slice(2), 'hex');
    expect(verify(null, message, key, Buffer.from(signature, 'hex'))).toBe(true);
  });
});
