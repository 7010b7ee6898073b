import fc from 'fast-check';
import { CAUSES, type CauseId } from '../../../../domain/causes';
import { assertRequested } from '../../../../signer/judging/requests/assert-requested';
import { refusedAs } from '../../fixtures';
import { evmOrder, TO, walletOn } from './evm/evm-orders';
import { ECDSA_KEY, payloadOrder } from './payload-orders';
import { transferRow } from './requested-orders';

const REFUSAL = refusedAs('RequestMismatch');
const body = { kind: 'Native', to: TO, amount: '5' };
const text = JSON.stringify(body);
const transfer = () => evmOrder(transferRow(walletOn('EthereumSepolia'), body));

test('white space and the order of the members are ignored', async () => {
  const order = await transfer();
  for (const same of [text, JSON.stringify(body, undefined, 2), `{"amount":"5", "kind":"Native","to":"${TO}"}\n`])
    expect(assertRequested('signTransfer', order, { cause: 'transferAsset', body: same })).toEqual({ feeSponsorId: null });
});

test.each([
  ['an empty text', ''],
  ['a value that is not an object', 'null'],
  ['a list', `[${text}]`],
  ['a truncated text', text.slice(0, -1)],
  ['two texts', `${text}${text}`],
  ['a byte order mark', `\uFEFF${text}`],
  ['a member twice', text.replace('{', '{"amount":"5",')],
  ['a member twice, once escaped', text.replace('{', '{"amoun\\u0074":"6",')],
  ['a prototype', text.replace('{', '{"__proto__":{},')],
  ['an unpaired surrogate', text.replace('{', '{"externalId":"\\ud800",')],
  ['a deeply nested value', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['more than 256 KiB', `${text}${' '.repeat(256 * 1024)}`],
])('%s is refused', async (_what, one) => {
  const order = await transfer();
  expect(() => assertRequested('signTransfer', order, { cause: 'transferAsset', body: one })).toThrow(REFUSAL);
});

test('an order is accepted only with a cause that can lead to it', async () => {
  const order = await transfer();
  const hash = `0x${'11'.repeat(32)}`;
  const payload = payloadOrder(ECDSA_KEY, { kind: 'Hash', hash });
  for (const cause of Object.keys(CAUSES) as CauseId[]) {
    const ofTransfer = () => assertRequested('signTransfer', order, { cause, body: text });
    const ofHash = () => assertRequested('signPayload', payload, { cause, body: JSON.stringify({ kind: 'Hash', hash }) });
    if (cause === 'transferAsset') ofTransfer();
    else expect(ofTransfer).toThrow(REFUSAL);
    if (cause === 'keysGenerateSignature' || cause === 'walletsGenerateSignature') ofHash();
    else expect(ofHash).toThrow(REFUSAL);
  }
});

test('whatever a body contains, only the refusal is thrown', async () => {
  const order = await transfer();
  const payload = payloadOrder(ECDSA_KEY, { kind: 'Message', message: '0xab' });
  const causes = fc.constantFrom(...(Object.keys(CAUSES) as CauseId[]));
  const kinds = fc.constantFrom('Native', 'Erc20', 'Transaction', 'FunctionCall', 'UserOperations', 'Psbt', 'Eip712', 'Hash');
  const bodies = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({ kind: kinds, transaction: fc.jsonValue(), psbt: fc.string() }).map((one) => JSON.stringify(one)),
  );
  fc.assert(
    fc.property(causes, bodies, (cause, one) => {
      expect(() => assertRequested('signTransfer', order, { cause, body: one })).toThrow(REFUSAL);
      expect(() => assertRequested('signPayload', payload, { cause, body: one })).toThrow(REFUSAL);
    }),
  );
});
