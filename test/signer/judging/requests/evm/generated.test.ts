import fc from 'fast-check';
import { answerTo } from '../changes';
import { SPONSOR, transactionRow } from '../requested-orders';
import { bytesOf, evmOrder, FROM, sponsoredOrder, TO, TOKEN, walletOn } from './evm-orders';

const cause = 'broadcastTransaction';
const wallet = walletOn('EthereumSepolia');

/** The ways in which a body may write a number. */
const written = (units: bigint) =>
  fc.constantFrom<string | number>(
    units.toString(),
    `00${units}`,
    `0x${units.toString(16)}`,
    ...(units < 2n ** 53n ? [Number(units)] : []),
  );
const quantity = (most: bigint) => fc.bigInt(0n, most).chain(written);
const addresses = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
const address = fc.oneof(fc.constantFrom(TO, TOKEN, FROM, TO.toLowerCase()), addresses);
const data = fc
  .tuple(fc.uint8Array({ maxLength: 80 }), fc.constantFrom('', '0x'), fc.boolean())
  .map(([bytes, prefix, isUpper]) => {
    const digits = Buffer.from(bytes).toString('hex');
    return `${prefix}${isUpper ? digits.toUpperCase() : digits}`;
  });
const word = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
const accessList = fc.array(fc.record({ address, storageKeys: fc.array(word, { maxLength: 2 }) }), { maxLength: 2 });

const common = {
  to: address,
  value: quantity(2n ** 128n),
  data,
  nonce: quantity(9_999n),
  gasLimit: quantity(99_999n),
  chainId: written(11_155_111n),
};
const optional = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>) => fc.record(members, { requiredKeys: ['to'] });
const members = fc.oneof(
  optional({ ...common, type: written(0n), gasPrice: quantity(2n ** 40n) }).map((one) => ({ ...one, type: 0 })),
  optional({ ...common, gasPrice: quantity(2n ** 40n), accessList }).map((one) => ({ ...one, type: '0x1' })),
  optional({ ...common, type: written(2n), accessList, from: fc.constantFrom(FROM, FROM.toLowerCase()) }),
);

/** A transaction with a gas limit of 0 is not valid. */
const hasGas = (one: object) => !('gasLimit' in one) || BigInt(String(one.gasLimit)) > 0n;

test('the signer and the service read the same from the members of a transaction', async () => {
  await fc.assert(
    fc.asyncProperty(members.filter(hasGas), fc.nat({ max: 99 }), async (transaction, free) => {
      const body = { kind: 'Transaction', transaction };
      const row = transactionRow(wallet, body);
      const nonce = row.askedNonce ?? free;
      const order = await evmOrder(row, nonce, bytesOf(row, nonce));
      expect(answerTo({ op: 'signTransfer', order, cause, body })).toEqual({ feeSponsorId: null });
      const asBytes = { kind: 'Transaction', transaction: order.bytesHex };
      expect(answerTo({ op: 'signTransfer', order, cause, body: asBytes })).toEqual({ feeSponsorId: null });
    }),
  );
});

test('the signer and the service read the same from calls', async () => {
  const call = optional({
    to: fc.oneof(fc.constantFrom(TO, TOKEN.toLowerCase()), addresses),
    value: fc.bigInt(0n, 2n ** 99n).map(String),
    data,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 4 }), async (userOperations) => {
      const body = { kind: 'UserOperations', userOperations, feeSponsorId: SPONSOR };
      const order = await sponsoredOrder(transactionRow(wallet, body));
      expect(answerTo({ op: 'signSponsored', order, cause, body })).toEqual({ feeSponsorId: SPONSOR });
    }),
  );
});
