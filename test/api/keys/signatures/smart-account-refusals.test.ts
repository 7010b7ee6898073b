import { type SignatureApi, startSignatureApi } from '../../../support/signature-api';
import {
  authorization,
  batchMessage,
  CALLS,
  ENTRY_POINT,
  FRIEND,
  fields,
  type Message,
  operationMessage,
  smartAccountBody,
} from '../../../support/smart-account';
import { faultAt, refusal, START_LIMIT_MS } from '../../../support/wallet-api';

let signatures: SignatureApi;
let account: string;
beforeAll(async () => {
  signatures = await startSignatureApi();
  account = signatures.wallet.address;
}, START_LIMIT_MS);
afterAll(() => signatures?.close());

const M = 'body.structured.message';
const changed = (made: Message, { domain = {}, types = {}, message = {} }: Partial<Record<keyof Message, object>>): Message => ({
  ...made,
  domain: { ...made.domain, ...domain },
  types: { ...made.types, ...types },
  message: { ...made.message, ...message },
});
const elements = (...calls: readonly object[]) => ({
  message: { calls: calls.map((call) => ({ to: FRIEND, value: '0', data: '0x', ...call })) },
});
const HASH = { message: { more: `0x${'00'.repeat(32)}` } };

test.each<[string, Parameters<typeof changed>[1], string]>([
  ['a different recipient', elements({ to: ENTRY_POINT, value: '5' }, { data: '0x12345678' }), `${M}.message.calls.0.to`],
  ['a different value', elements({ value: '6' }, { data: '0x12345678' }), `${M}.message.calls.0.value`],
  ['different data', elements({ value: '5' }, { data: '0x12345679' }), `${M}.message.calls.1.data`],
  ['a changed order', elements({ data: '0x12345678' }, { value: '5' }), `${M}.message.calls.0.value`],
  ['an additional call', elements({ value: '5' }, { data: '0x12345678' }, {}), `${M}.message.calls`],
  ['a missing call', elements({ value: '5' }), `${M}.message.calls`],
  ['a negative value', elements({ value: '-5' }, { data: '0x12345678' }), `${M}.message`],
  ['a value with leading zeros', elements({ value: '005' }, { data: '0x12345678' }), `${M}.message.calls.0.value`],
  ['a value that exceeds 256 bits', elements({ value: (2n ** 256n + 5n).toString() }, { data: '0x12345678' }), `${M}.message`],
  ['data with the prefix 0X', elements({ value: '5' }, { data: '0X12345678' }), `${M}.message.calls.1.data`],
  ['a value with the prefix 0X', elements({ value: '0X5' }, { data: '0x12345678' }), `${M}.message.calls.0.value`],
  ['half a byte of data', elements({ value: '5' }, { data: '0x1234567' }), `${M}.message.calls.1.data`],
  ['no chain id', { domain: { chainId: undefined } }, `${M}.domain.chainId`],
  ['a different contract', { domain: { verifyingContract: FRIEND } }, `${M}.domain.verifyingContract`],
  ['no contract', { domain: { verifyingContract: undefined } }, `${M}.domain.verifyingContract`],
  [
    'two lists of calls',
    { types: { Execute: fields('Call[] calls,Call[] executions,uint256 nonce') }, message: { executions: [] } },
    `${M}.types`,
  ],
  [
    'a list of calls in a struct',
    {
      types: { Execute: fields('Call[] calls,More more,uint256 nonce'), More: fields('Call[] calls') },
      message: { more: { calls: [] } },
    },
    `${M}.message.more`,
  ],
  [
    'a delegated call',
    {
      types: { Call: fields('address to,uint256 value,bytes data,bool isDelegateCall') },
      ...{
        message: {
          calls: [
            { to: FRIEND, value: '5', data: '0x', isDelegateCall: true },
            { to: FRIEND, value: '0', data: '0x12345678', isDelegateCall: true },
          ],
        },
      },
    },
    `${M}.types`,
  ],
  ['an unknown member', { types: { Execute: fields('Call[] calls,uint256 nonce,bytes32 more') }, ...HASH }, `${M}.message.more`],
  [
    'an executor',
    { types: { Execute: fields('Call[] calls,uint256 nonce,address executor') }, message: { executor: FRIEND } },
    `${M}.message.executor`,
  ],
  [
    'a nonce of the wrong type',
    { types: { Execute: fields('Call[] calls,address nonce') }, message: { nonce: FRIEND } },
    `${M}.message.nonce`,
  ],
  [
    'a mode that delegates calls',
    { types: { Execute: fields('bytes32 mode,Call[] calls,uint256 nonce') }, message: { mode: `0xff${'00'.repeat(31)}` } },
    `${M}.message.mode`,
  ],
  [
    'a flag that makes the message valid on several chains',
    { types: { Execute: fields('bool multichain,Call[] calls,uint256 nonce') }, message: { multichain: true } },
    `${M}.message.multichain`,
  ],
  [
    'a primary type with a different meaning',
    { types: { Execute: undefined, Permit: fields('Call[] calls,uint256 nonce') } as object },
    `${M}.types`,
  ],
  ['an unused type', { types: { Other: fields('Call[] calls') } }, `${M}.types`],
  ['an alias of a type', { types: { Call: fields('address to,uint value,bytes data') } }, `${M}.types`],
  ['a member of a smaller type', { types: { Call: fields('address to,uint128 value,bytes data') } }, `${M}.types`],
  [
    'a member twice',
    {
      types: { Call: fields('address to,address target,uint256 value,bytes data') },
      ...elements({ target: FRIEND }, { target: FRIEND }),
    },
    `${M}.types`,
  ],
  ['lists of a fixed length', { types: { Execute: fields('Call[2] calls,uint256 nonce') } }, `${M}.types`],
])('400: for a message with %s, the error contains the path, and no row is stored', async (_title, change, path) => {
  const before = await signatures.count();
  const message = changed(batchMessage(account, CALLS), change);
  expect(await signatures.ask(smartAccountBody(account, CALLS, { message }))).toMatchObject({
    status: 400,
    body: { error: { details: faultAt(path) } },
  });
  expect(await signatures.count()).toBe(before);
});

test('400: a message without a nonce', async () => {
  const { types, message, ...rest } = batchMessage(account, CALLS);
  const made = { ...rest, types: { ...types, Execute: fields('Call[] calls') }, message: { calls: message['calls'] } };
  expect(await signatures.ask(smartAccountBody(account, CALLS, { message: made }))).toMatchObject(
    refusal(400, 'InvalidRequest', faultAt(`${M}.message.nonce`)),
  );
});

test.each<[string, Parameters<typeof changed>[1], string]>([
  ['from another account', { message: { sender: FRIEND } }, `${M}.message.sender`],
  ['that creates an account', { message: { initCode: '0x7702' } }, `${M}.message.initCode`],
  ['with a paymaster', { message: { paymasterAndData: FRIEND } }, `${M}.message.paymasterAndData`],
  ['that pays for the gas of its verification', { message: { preVerificationGas: '1' } }, `${M}.message.preVerificationGas`],
  ['that pays for its gas', { message: { gasFees: `0x${'00'.repeat(31)}01` } }, `${M}.message.gasFees`],
  [
    'with different calls',
    { message: { callData: operationMessage(FRIEND, [{ to: FRIEND, value: '6' }]).message['callData'] } },
    `${M}.message.callData`,
  ],
  ['with call data that is not a batch', { message: { callData: '0x12345678' } }, `${M}.message.callData`],
  ['for a different entry point', { domain: { verifyingContract: FRIEND } }, `${M}.domain.verifyingContract`],
  ['with a different domain name', { domain: { name: 'ERC4338' } }, `${M}.domain`],
])('400: an operation %s', async (_title, change, path) => {
  const message = changed(operationMessage(account, CALLS), change);
  expect(await signatures.ask(smartAccountBody(account, CALLS, { message }))).toMatchObject(
    refusal(400, 'InvalidRequest', faultAt(path)),
  );
});

const S = 'body.structured';
test.each<[string, (body: ReturnType<typeof smartAccountBody>) => object, string]>([
  ['an account that is not the key’s', () => smartAccountBody(FRIEND, CALLS), `${S}.address`],
  ['no calls', () => smartAccountBody(account, []), `${S}.userOperations`],
  [
    '65 calls',
    () =>
      smartAccountBody(
        account,
        Array.from({ length: 65 }, () => ({ to: FRIEND })),
      ),
    `${S}.userOperations`,
  ],
  [
    'calls that are too long',
    () => smartAccountBody(account, [{ to: FRIEND, data: `0x${'00'.repeat(20_000)}` }]),
    `${S}.userOperations.0.data`,
  ],
  [
    'calls that the account makes to itself',
    () => smartAccountBody(account, [{ to: account, data: '0x12345678' }]),
    `${S}.userOperations.0.data`,
  ],
  [
    'a call to the entry point',
    () => smartAccountBody(account, [{ to: ENTRY_POINT, data: '0x12345678' }]),
    `${S}.userOperations.0.data`,
  ],
  [
    'a call to the zero address, which accounts read as their own address',
    () => smartAccountBody(account, [{ to: `0x${'00'.repeat(20)}` }]),
    `${S}.userOperations.0.to`,
  ],
  [
    'values whose sum exceeds 256 bits',
    () =>
      smartAccountBody(
        account,
        [0, 1].map(() => ({ to: FRIEND, value: (2n ** 256n - 1n).toString() })),
      ),
    `${S}.userOperations`,
  ],
  ['a value in hexadecimal', () => smartAccountBody(account, [{ to: FRIEND, value: '0x5' }]), `${S}.userOperations.0.value`],
  [
    'a wrong checksum',
    () => smartAccountBody(account, [{ to: FRIEND.replace('C8', 'c8') }], { message: batchMessage(account, [{ to: FRIEND }]) }),
    `${S}.userOperations.0.to`,
  ],
  [
    'a delegate that is not supported',
    () => smartAccountBody(account, CALLS, { authorization: { ...authorization, address: FRIEND } }),
    `${S}.authorization.address`,
  ],
  [
    'an authorization that is valid on every chain',
    () => smartAccountBody(account, CALLS, { authorization: { ...authorization, chainId: 0 } }),
    `${S}.authorization.chainId`,
  ],
  [
    'an authorization for a different chain',
    () => smartAccountBody(account, CALLS, { authorization: { ...authorization, chainId: 84_532 } }),
    `${S}.authorization.chainId`,
  ],
  ['signatures in the request', (body) => ({ ...body, signatures: { one: { r: '0x', s: '0x' } } }), 'body.signatures.one'],
  ['a network that is not that of the message', (body) => ({ ...body, network: 'Ethereum' }), 'body.network'],
])('400: %s', async (_title, made, path) => {
  const body = made(smartAccountBody(account, CALLS));
  expect(await signatures.ask({ ...body })).toMatchObject({ status: 400, body: { error: { details: faultAt(path) } } });
});

test('400: the chain is a mainnet or not enabled, or the key cannot sign for an account', async () => {
  for (const chainId of [1, 84_532, 424_242_424])
    expect(
      await signatures.ask(
        smartAccountBody(account, CALLS, { message: changed(batchMessage(account, CALLS), { domain: { chainId } }) }),
      ),
    ).toMatchObject(refusal(400, 'NetworkNotEnabled', faultAt(`${M}.domain.chainId`)));
  const { id } = await signatures.createKey({ scheme: 'EdDSA', curve: 'ed25519' });
  expect(await signatures.ask(smartAccountBody(account, CALLS), `/keys/${id}/signatures`)).toMatchObject(
    refusal(400, 'InvalidRequest', faultAt('body.kind')),
  );
  // The operation of a wallet does not accept this kind of payload, as in the published interface.
  const ofWallet = `/wallets/${signatures.wallet.id}/signatures`;
  expect(await signatures.ask(smartAccountBody(account, CALLS), ofWallet)).toMatchObject(
    refusal(400, 'InvalidRequest', faultAt('body.kind')),
  );
});

test('403: the caller may only read signatures', async () => {
  const person = await signatures.api.createPerson(signatures.orgId, { operations: ['Keys:Signatures:Read'] });
  const path = `/keys/${signatures.keyId}/signatures`;
  expect(await person.client.change('POST', path, smartAccountBody(account, CALLS))).toMatchObject(refusal(403, 'Forbidden'));
});
