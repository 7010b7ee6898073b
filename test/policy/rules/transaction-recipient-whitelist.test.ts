import { transactionRecipientWhitelist } from '../../../policy/rules/transaction-recipient-whitelist';
import { RECIPIENT, someFacts } from '../../support/policies';

const triggers = (addresses: readonly string[], recipients: readonly string[] = [RECIPIENT]) =>
  transactionRecipientWhitelist.judge(
    { kind: 'TransactionRecipientWhitelist', configuration: { addresses } },
    someFacts({ recipients }),
  ).triggered;

test('a listed EVM recipient passes in any letter case, because case is only a checksum', () => {
  expect(triggers([RECIPIENT])).toBe(false);
  expect(triggers([RECIPIENT.toLowerCase()])).toBe(false);
  expect(triggers([`0x${RECIPIENT.slice(2).toUpperCase()}`])).toBe(false);
});

test('an address in a different format must match letter by letter', () => {
  const base58 = '1BoatSLRHtKNngkdXEeobR76b53LETtpyT';
  expect(triggers([base58], [base58])).toBe(false);
  expect(triggers([base58.toLowerCase()], [base58])).toBe(true);
});

test('an unlisted recipient triggers, even if only one digit differs', () => {
  expect(triggers([RECIPIENT.replace('5aAeb6', '5aAeb7')])).toBe(true);
});

test('an empty list always triggers', () => {
  expect(triggers([])).toBe(true);
});

test('one unlisted recipient among several triggers', () => {
  expect(triggers([RECIPIENT], [RECIPIENT, '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'])).toBe(true);
});

test('an unknown recipient triggers', () => {
  expect(triggers([RECIPIENT], [])).toBe(true);
});
