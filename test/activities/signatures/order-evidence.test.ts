import { fitting } from '../../../activities/signatures/order-evidence';
import { PSBT_BYTES_MAX } from '../../../domain/transfers';
import { EvidenceList } from '../../../signer/record/evidence';
import { BODY_BYTES_MAX } from '../../../signer/wire/frames';
import { actionOf, keyHolder } from '../../signer/charters/chartered';

const KIB = 1024;
const padded = (bytes: number) => {
  const action = actionOf('Approver', keyHolder('ada'), { path: '/', body: '' });
  const bare = Buffer.byteLength(JSON.stringify([{ ...action, body: '' }]));
  return { ...action, body: ' '.repeat(bytes - bare) };
};

test('bodies stay in the evidence up to its size limit, and are left out one byte above it', () => {
  const texts = [padded(200 * KIB), padded(200 * KIB), padded(80 * KIB)];
  const bytes = Buffer.byteLength(JSON.stringify(texts));
  const [first, ...others] = texts;
  if (!first) throw new Error('the evidence is empty');
  const at = (more: number) =>
    fitting([{ ...first, body: `${first.body}${' '.repeat(480 * KIB - bytes + more)}` }, ...others], 0);
  expect(at(0).every((one) => 'body' in one)).toBe(true);
  expect(at(1).some((one) => 'body' in one)).toBe(false);
  expect(EvidenceList.safeParse(at(0)).success).toBe(true);
});

test('an order with the largest PSBT and evidence still fits into one message to the signer', () => {
  const contentChars = 2 + 2 * PSBT_BYTES_MAX;
  const evidence = fitting([padded(250 * KIB)], contentChars);
  expect(evidence.some((one) => 'body' in one)).toBe(false);
  const small = fitting([padded(100 * KIB)], contentChars);
  expect(small.every((one) => 'body' in one)).toBe(true);
  expect(Buffer.byteLength(JSON.stringify(small)) + contentChars).toBeLessThan(BODY_BYTES_MAX - 64 * KIB);
});
