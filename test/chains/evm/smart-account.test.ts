import fc from 'fast-check';
import { evmPayloads } from '../../../chains/codecs';
import { evmSmartAccountOf } from '../../../chains/decoders';
import { batchMessage, type Call, CHAIN_ID, type Message, operationMessage } from '../../support/smart-account';

const ACCOUNT = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const bytes = (least: number, most: number) =>
  fc.uint8Array({ minLength: least, maxLength: most }).map((made) => `0x${Buffer.from(made).toString('hex')}`);
const call = fc.record({
  to: bytes(20, 20),
  value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String),
  data: bytes(0, 70),
});
const calls = fc.array(call, { minLength: 1, maxLength: 5 });

const complete = ({ types, domain, message }: Message) => evmPayloads.completeTypedData({ types, domain, message }, 'body');
const written = (made: readonly Call[]) =>
  made.map(({ to, value = '0', data = '0x' }) => ({ to: to.toLowerCase(), valueUnits: value, dataHex: data }));
const readBack = (text: string) => {
  const read = evmSmartAccountOf(text);
  return read && { ...read, calls: read.calls.map((one) => ({ ...one, to: one.to.toLowerCase() })) };
};
const isCommitted = (text: string, made: readonly Call[]): boolean => {
  try {
    evmPayloads.assertCommitsTo(text, { address: ACCOUNT, calls: written(made) }, 'body');
    return true;
  } catch {
    return false;
  }
};

test.each([
  ['a batch', batchMessage],
  ['an operation', operationMessage],
] as const)('%s commits to any calls, and an independent decoder reads the same calls', (_what, messageOf) => {
  fc.assert(
    fc.property(calls, (made) => {
      const text = complete(messageOf(ACCOUNT, made));
      expect(isCommitted(text, made)).toBe(true);
      expect(readBack(text)).toEqual({ chainId: CHAIN_ID, address: ACCOUNT, calls: written(made) });
    }),
    { numRuns: 60 },
  );
});

test('a changed message that both readers accept still has the same calls from the same account', () => {
  const made: readonly Call[] = [
    { to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', value: '5', data: '0x' },
    { to: '0x1c7d4b196cb0c7b01d743fbc6116a902379c7238', value: '0', data: '0xa9059cbb' },
  ];
  for (const message of [batchMessage(ACCOUNT, made), operationMessage(ACCOUNT, made)]) {
    const text = complete(message);
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(...'0123456789abcdef"{}[],:AE'), (at, letter) => {
        const changed = `${text.slice(0, at)}${letter}${text.slice(at + 1)}`;
        const read = readBack(changed);
        // Names, versions, nonces, gas limits and the chain may differ; the account and its calls may not.
        if (read && isCommitted(changed, made)) expect(read).toMatchObject({ address: ACCOUNT, calls: written(made) });
      }),
      { numRuns: 2_000 },
    );
  }
});

test.each<[string, (message: Message) => object]>([
  [
    'a member name that contains another member',
    (made) => ({
      ...made,
      types: {
        ...made.types,
        Execute: [
          { type: 'Call[]', name: 'calls' },
          { type: 'uint256', name: 'nonce,bytes more' },
        ],
      },
    }),
  ],
  [
    'a member with the type constructor',
    (made) => ({
      ...made,
      types: { ...made.types, Call: [...(made.types['Call'] ?? []), { type: 'constructor', name: 'more' }] },
    }),
  ],
  ['no primary type', (made) => ({ ...made, primaryType: undefined })],
  ['an empty list of calls', (made) => ({ ...made, message: { ...made.message, calls: [] } })],
  [
    'a call to the account itself',
    (made) => ({ ...made, message: { ...made.message, calls: [{ to: ACCOUNT, value: '0', data: '0x12345678' }] } }),
  ],
  [
    'a call to the zero address',
    (made) => ({ ...made, message: { ...made.message, calls: [{ to: `0x${'00'.repeat(20)}`, value: '0', data: '0x' }] } }),
  ],
  ['a list instead of an object', () => []],
])('the decoder does not accept %s', (_what, change) => {
  const { kind: _kind, ...message } = batchMessage(ACCOUNT, [{ to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', value: '5' }]);
  expect(evmSmartAccountOf(JSON.stringify({ primaryType: 'Execute', ...message }))).toBeDefined();
  const changed = change({ kind: 'Eip712', ...message });
  const text = Array.isArray(changed) ? '[]' : JSON.stringify({ primaryType: 'Execute', ...changed });
  expect(evmSmartAccountOf(text)).toBeUndefined();
});
