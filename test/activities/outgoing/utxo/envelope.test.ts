import { assertInsideEnvelope } from '../../../../activities/outgoing/utxo/envelope';
import type { DecodedPsbt, Selection } from '../../../../chains/utxo/types';
import { OutgoingEntity } from '../../../../entities/outgoing/outgoing.entity';

const [FROM, TO] = ['tb1qsender', 'tb1qrecipient'];
const row = Object.assign(new OutgoingEntity(), {
  fromAddress: FROM,
  toAddress: TO,
  amountUnits: '1000',
  feeCeilingUnits: '500',
});
const coin = { txid: 'aa'.repeat(32), vout: 1, amountUnits: 5_000n, scriptHex: '00' };
const selection: Selection = {
  coins: [{ ...coin, confirmations: 1, isCoinbase: false, isOwnChange: false }],
  feeUnits: 300n,
  changeUnits: 3_700n,
};
const output = (address: string, amountUnits: bigint) => ({ address, amountUnits, scriptHex: '00' });
const input = { ...coin, address: FROM, isProved: true };
const decoded: DecodedPsbt = { inputs: [input], outputs: [output(TO, 1_000n), output(FROM, 3_700n)], feeUnits: 300n, opaque: [] };

test('bytes that spend the chosen coins, pay what was approved and return the rest to the wallet pass', () => {
  expect(() => assertInsideEnvelope(decoded, row, selection)).not.toThrow();
});

test.each<[string, Partial<DecodedPsbt>]>([
  ['inputs', { inputs: [{ ...input, vout: 0 }] }],
  ['inputs', { inputs: [{ ...input, amountUnits: 5_001n }], feeUnits: 301n }],
  ['owner', { inputs: [{ ...input, address: TO }] }],
  ['owner', { inputs: [{ ...input, isProved: false }] }],
  ['recipient', { outputs: [output(FROM, 1_000n), output(FROM, 3_700n)] }],
  ['amount', { outputs: [output(TO, 1_001n), output(FROM, 3_699n)] }],
  ['change', { outputs: [output(TO, 1_000n), output(TO, 3_700n)] }],
  ['change', { outputs: [output(TO, 1_000n), output(FROM, 1_700n), output(FROM, 2_000n)] }],
  ['fee', { outputs: [output(TO, 1_000n), output(FROM, 3_400n)], feeUnits: 600n }],
  ['understood', { opaque: ['a sighash other than ALL'] }],
])('a difference in %s is named in the error, which is permanent', (name, change) => {
  expect(() => assertInsideEnvelope({ ...decoded, ...change }, row, selection)).toThrow(
    expect.objectContaining({ code: 'EnvelopeMismatch', retryable: false, message: expect.stringContaining(name) }),
  );
});

const home = Object.assign(new OutgoingEntity(), { ...row, toAddress: FROM, amountUnits: '0' });
const allOfIt = { ...selection, changeUnits: 4_700n };

test('a cancellation returns everything to the wallet in one output', () => {
  const cancelling = { ...decoded, outputs: [output(FROM, 4_700n)] };
  expect(() => assertInsideEnvelope(cancelling, home, allOfIt)).not.toThrow();
});

test.each<[string, readonly ReturnType<typeof output>[]]>([
  ['recipient', [output(TO, 4_700n)]],
  ['change', [output(FROM, 4_700n), output(FROM, 0n)]],
  ['amount', [output(FROM, 4_600n), output(FROM, 100n)]],
])('a cancellation that differs in %s is refused', (name, outputs) => {
  const built = () => assertInsideEnvelope({ ...decoded, outputs }, home, allOfIt);
  expect(built).toThrow(expect.objectContaining({ message: expect.stringContaining(name) }));
});
