import { transactionAmountLimit } from '../../../policy/rules/transaction-amount-limit';
import { someFacts } from '../../support/policies';

const rule = { kind: 'TransactionAmountLimit', configuration: { limit: 100, currency: 'USD' } } as const;
const worth = (amountUsdMicro: string | null) => transactionAmountLimit.judge(rule, someFacts({ amountUsdMicro })).triggered;

test('a transfer worth exactly the limit passes and a millionth of a dollar more triggers', () => {
  expect(worth('100000000')).toBe(false);
  expect(worth('100000001')).toBe(true);
});

test('a transfer of zero passes', () => {
  expect(worth('0')).toBe(false);
});

test('an unknown value triggers', () => {
  expect(worth(null)).toBe(true);
});

test('values beyond what a JavaScript number can hold are compared exactly', () => {
  const exact = { kind: 'TransactionAmountLimit', configuration: { limit: Number.MAX_SAFE_INTEGER, currency: 'USD' } } as const;
  const at = (amountUsdMicro: string) => transactionAmountLimit.judge(exact, someFacts({ amountUsdMicro })).triggered;
  expect(at('9007199254740991000000')).toBe(false);
  expect(at('9007199254740991000001')).toBe(true);
});
