import { type Hex, hashTypedData, recoverAddress } from 'viem';
import { hashAuthorization } from 'viem/utils';
import type { SigningPayload } from '../../../../signer/judging/signing-payload';
import type { CreatedKey } from '../../../../signer/protocol';
import { batchMessage, CHAIN_ID, DELEGATE, type Message, operationMessage } from '../../../support/smart-account';
import { codec, keyOrder, openOperations, payloadOrderFor, refusedAs, TO, TOKEN, temporaryFolder } from '../../fixtures';

type SmartAccount = Extract<SigningPayload, { kind: 'SvcSmartAccountTransaction' }>;

const folder = temporaryFolder();
let operations: Awaited<ReturnType<typeof openOperations>>;
let key: CreatedKey;
let account: string;
let count = 0;
beforeAll(async () => {
  // A payload that specifies a chain does not need a switch, so all switches are off.
  operations = await openOperations(folder.path, undefined, undefined, []);
  key = await operations.createKey(keyOrder('account'));
  account = codec.addressOf(key.publicKeyHex);
});
afterAll(async () => {
  await operations.close();
  folder.remove();
});

const CALLS = [
  { to: TO, valueUnits: '5', dataHex: '0x' },
  { to: TOKEN, valueUnits: '0', dataHex: '0x12345678' },
];
const asked = CALLS.map(({ to, valueUnits: value, dataHex: data }) => ({ to, value, data }));
const ROOTS = { batch: 'Execute', operation: 'PackedUserOperation' } as const;
const messageOf = (form: keyof typeof ROOTS) => (form === 'batch' ? batchMessage : operationMessage)(account, asked);
const textOf = ({ types, domain, message }: Message, primaryType: string) =>
  JSON.stringify({ types, primaryType, domain, message });

const payload = (form: keyof typeof ROOTS, changes: Partial<SmartAccount> = {}): SmartAccount => ({
  kind: 'SvcSmartAccountTransaction',
  network: 'EthereumSepolia',
  address: account,
  calls: CALLS,
  typedData: textOf(messageOf(form), ROOTS[form]),
  authorization: null,
  ...changes,
});
const sign = (what: SigningPayload, requestId?: string) => {
  count += 1;
  return operations.signPayload(payloadOrderFor(key, requestId ?? `sig-${count}`, what));
};
const AUTHORIZATION = { chainId: CHAIN_ID, address: DELEGATE, nonce: 4 } as const;

test.each(['batch', 'operation'] as const)(
  'the signatures of a %s cover first the digest that an independent library computes, and then the authorization',
  async (form) => {
    const { types, domain, message } = messageOf(form);
    const hash = hashTypedData({ types, domain, message, primaryType: ROOTS[form] } as Parameters<typeof hashTypedData>[0]);
    const before = operations.log.size;
    const answer = await sign(payload(form, { authorization: AUTHORIZATION }));
    expect(answer.digestHex).toBe(hash);
    expect(operations.log.size).toBe(before + 1);
    const digests = [hash, hashAuthorization(AUTHORIZATION)];
    const signers = answer.signatures.map(({ r, s, recoveryId: yParity = 0 }, index) =>
      recoverAddress({ hash: digests[index] ?? '0x', signature: { r: r as Hex, s: s as Hex, yParity } }),
    );
    expect(await Promise.all(signers)).toEqual([account, account]);
  },
);

test('one request is signed once: other calls under its id are refused', async () => {
  const first = await sign(payload('batch'), 'once');
  expect(await sign(payload('batch'), 'once')).toEqual(first);
  await expect(sign(payload('operation'), 'once')).rejects.toEqual(refusedAs('RequestIdReused'));
});

const withMessage = (form: keyof typeof ROOTS, change: (message: Message) => Message) =>
  payload(form, { typedData: textOf(change(messageOf(form)), ROOTS[form]) });

test.each<[string, string, () => SigningPayload]>([
  ['calls that the message does not make', 'CallMismatch', () => payload('batch', { calls: [...CALLS].reverse() })],
  ['fewer calls than the message makes', 'CallMismatch', () => payload('operation', { calls: CALLS.slice(1) })],
  [
    'a message with different calls',
    'CallMismatch',
    () => payload('operation', { typedData: textOf(operationMessage(account, [{ to: TOKEN, value: '5' }]), ROOTS.operation) }),
  ],
  [
    'an operation that pays a fee',
    'TypedDataNotUnderstood',
    () => withMessage('operation', (made) => ({ ...made, message: { ...made.message, gasFees: `0x${'11'.repeat(32)}` } })),
  ],
  [
    'an operation under a different domain',
    'TypedDataNotUnderstood',
    () => withMessage('operation', (made) => ({ ...made, domain: { ...made.domain, verifyingContract: TO } })),
  ],
  [
    'a message of a different kind',
    'TypedDataNotUnderstood',
    () =>
      withMessage('batch', (made) => ({
        ...made,
        types: { ...made.types, Execute: [...(made.types['Execute'] ?? []), { name: 'owner', type: 'address' }] },
        message: { ...made.message, owner: TO },
      })),
  ],
  [
    'a message without a nonce',
    'TypedDataNotUnderstood',
    () =>
      withMessage('batch', ({ message, ...made }) => ({
        ...made,
        types: { ...made.types, Execute: [{ name: 'calls', type: 'Call[]' }] },
        message: { calls: message['calls'] },
      })),
  ],
  [
    'a message that does not fit its types',
    'TypedDataNotUnderstood',
    () => withMessage('batch', (made) => ({ ...made, message: { ...made.message, more: '1' } })),
  ],
  [
    'an account that is not the key’s',
    'SenderMismatch',
    () => payload('batch', { address: TO, typedData: textOf(batchMessage(TO, asked), ROOTS.batch) }),
  ],
  ['an address that is not the message’s', 'SenderMismatch', () => payload('operation', { address: TO })],
  [
    'no chain',
    'ChainIdMismatch',
    () => withMessage('batch', ({ domain: { chainId: _none, ...domain }, ...made }) => ({ ...made, domain })),
  ],
  [
    'a mainnet',
    'MainnetNotAllowed',
    () => {
      const { domain, ...made } = messageOf('batch');
      return payload('batch', {
        network: 'Ethereum',
        typedData: textOf({ ...made, domain: { ...domain, chainId: 1 } }, ROOTS.batch),
      });
    },
  ],
  ['a network name that does not fit the chain id', 'ChainIdMismatch', () => payload('batch', { network: 'BaseSepolia' })],
  ['an unknown delegate', 'RecipientMismatch', () => payload('batch', { authorization: { ...AUTHORIZATION, address: TO } })],
  [
    'an authorization for another chain',
    'ChainIdMismatch',
    () => payload('batch', { authorization: { ...AUTHORIZATION, chainId: 84_532 } }),
  ],
])('%s is refused as %s, and nothing is signed', async (_what, reason, made) => {
  const before = operations.log.size;
  await expect(sign(made())).rejects.toEqual(refusedAs(reason));
  expect(operations.log.size).toBe(before);
});
