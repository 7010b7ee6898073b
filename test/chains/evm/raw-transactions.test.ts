import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Transaction } from 'micro-eth-signer';
import { privateKeyToAccount } from 'viem/accounts';
import { encodeAbiParameters, encodeFunctionData, parseAbi, serializeTransaction } from 'viem/utils';
import { z } from 'zod';
import { evmCodecOf } from '../../../chains/codecs';
import { evmDecoderOf } from '../../../chains/decoders';
import type { TransactionInput } from '../../../chains/evm/types';
import { Hash } from '../../../chains/rpc/rpc';
import type { EvmCall } from '../../../domain/transactions';
import { waitUntil } from '../../support/wait-until';
import { FAUCET, startAnvil } from './anvil';
import { anyFees, codec, TOKEN } from './intents';

const decoder = evmDecoderOf('EthereumSepolia');

const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const CHAIN_ID = 11_155_111;
const ABI = parseAbi(['function transfer(address,uint256)', 'function approve(address,uint256)']);
const SUPPLY_UNITS = 1_000_000_000n;
const terms = (input: TransactionInput | string) => codec.termsOf(input, FAUCET, 'body');
const call = (input: TransactionInput): EvmCall => terms({ to: TO, ...input }).call;
const word = (byte: string) => `0x${byte.repeat(32)}`;
const authority = privateKeyToAccount(`0x${'03'.repeat(32)}`);
const authorized = async (signer: typeof authority, nonce: number, contractAddress: string) => {
  const signed = await signer.signAuthorization({ chainId: CHAIN_ID, nonce, contractAddress: contractAddress as `0x${string}` });
  const { r, s, yParity, chainId } = signed;
  return { chainId, address: contractAddress, nonce, yParity: yParity ?? 0, r, s };
};

test('type 0: bytes, digest and signed bytes equal the example of EIP-155', () => {
  const ethereum = evmCodecOf('Ethereum');
  const to = '0x3535353535353535353535353535353535353535';
  const { call: legacy } = ethereum.termsOf({ type: 0, to, value: '1000000000000000000' }, FAUCET, 'body');
  const fees = { gas: 21_000n, maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 20_000_000_000n };
  const built = ethereum.buildCall(legacy, 9, fees);
  expect(built.bytesHex).toBe('0xec098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a764000080018080');
  expect(built.digestHex).toBe('0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53');
  const signature = {
    r: '0x28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276',
    s: '0x67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
    recoveryId: 0,
  } as const;
  const from = privateKeyToAccount(word('46') as `0x${string}`).address;
  expect(ethereum.attach(built, signature, from).rawHex).toBe(
    '0xf86c098504a817c800825208943535353535353535353535353535353535353535880de0b6b3a76400008025a028ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276a067cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83',
  );
});

test('a network without EIP-1559 accepts only types 0 and 1; a network without a native coin accepts only a value of zero', () => {
  const on = (network: 'EthereumClassicMordor' | 'TempoModerato', input: TransactionInput) => () =>
    evmCodecOf(network).termsOf({ to: TO, ...input }, FAUCET, 'body').call;
  const refusedAt = (path: string) => expect.objectContaining({ details: { issues: [expect.objectContaining({ path })] } });
  expect(on('EthereumClassicMordor', { data: '0x01' })()).toMatchObject({ type: 0 });
  expect(on('EthereumClassicMordor', { type: 1 })()).toMatchObject({ type: 1 });
  expect(on('EthereumClassicMordor', { type: 2 })).toThrow(refusedAt('body.type'));
  expect(on('EthereumClassicMordor', { maxFeePerGas: 1 })).toThrow(refusedAt('body.maxFeePerGas'));
  expect(on('TempoModerato', { data: '0x01' })()).toMatchObject({ type: 2, valueUnits: '0' });
  expect(on('TempoModerato', { value: 1 })).toThrow(refusedAt('body.value'));
});

test('type 1: digest and signed bytes equal a vector of the reference client', () => {
  const ethereum = evmCodecOf('Ethereum');
  const { call: listed } = ethereum.termsOf(
    { type: 1, to: '0xb94f5374fce5edbc8e2a8697c15331677e6ebf0b', value: 10, data: '0x5544' },
    FAUCET,
    'body',
  );
  const built = ethereum.buildCall(listed, 3, { gas: 25_000n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n });
  expect(built.digestHex).toBe('0x49b486f0ec0a60dfbbca2d30cb07c9e8ffb2a2ff41f29a1ab6737475f6ff69f3');
  const signed = serializeTransaction(
    {
      type: 'eip2930',
      chainId: 1,
      nonce: 3,
      to: '0xb94f5374fce5edbc8e2a8697c15331677e6ebf0b',
      value: 10n,
      gas: 25_000n,
      gasPrice: 1n,
      data: '0x5544',
    },
    {
      r: '0xc9519f4f2b30335884581971573fadf60c6204f59a911df35ee8a540456b2660',
      s: '0x32f1e8e2c5dd761f9e4f88f41c8310aeaba26a8bfcdacfedfa12ec3862d37521',
      yParity: 1,
    },
  );
  expect(signed).toBe(
    '0x01f8630103018261a894b94f5374fce5edbc8e2a8697c15331677e6ebf0b0a825544c001a0c9519f4f2b30335884581971573fadf60c6204f59a911df35ee8a540456b2660a032f1e8e2c5dd761f9e4f88f41c8310aeaba26a8bfcdacfedfa12ec3862d37521',
  );
});

test('the decoder reads exactly the wanted call from the bytes of every type', async () => {
  const list = [await authorized(authority, 7, TOKEN)];
  const hex = (max: number) => fc.uint8Array({ maxLength: max }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
  const key = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
  const accessList = fc.array(fc.record({ address: fc.constantFrom(TO, TOKEN), storageKeys: fc.array(key, { maxLength: 3 }) }), {
    maxLength: 3,
  });
  const value = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String);
  const input: fc.Arbitrary<TransactionInput> = fc.oneof(
    fc.record({ type: fc.constant(0), value, data: hex(80) }),
    fc.record({ type: fc.constantFrom(1, 2), value, data: hex(80), accessList }),
    fc.record({ type: fc.constant(4), value, data: hex(80), accessList, authorizationList: fc.constant(list) }),
  );
  fc.assert(
    fc.property(input, fc.integer({ min: 0, max: 2 ** 31 - 1 }), anyFees, (asked, nonce, fees) => {
      const wanted = call(asked);
      const built = codec.buildCall(wanted, nonce, fees);
      expect(decoder.decodeCall(built.bytesHex)).toEqual({
        chainId: CHAIN_ID,
        nonce,
        maxFeeUnits: built.maxFeeUnits,
        call: wanted,
        effect: codec.effectOf(wanted),
        opaque: [],
      });
      // The hex of the same bytes is the same request, with every member given.
      expect(terms(built.bytesHex)).toMatchObject({ call: wanted, gas: fees.gas.toString() });
    }),
    { numRuns: 200 },
  );
});

const transferData = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [TO, 5n] });

test.each<[string, TransactionInput, object]>([
  [
    'a call with only a value moves the native asset',
    { value: '5' },
    { asset: { kind: 'Native' }, recipient: TO, amountUnits: 5n },
  ],
  [
    'a token transfer is read with its token, recipient and amount',
    { to: TOKEN, data: transferData },
    { asset: { kind: 'Erc20', contract: TOKEN }, recipient: TO, amountUnits: 5n },
  ],
  [
    'a token’s transfer with value is a call',
    { to: TOKEN, data: transferData, value: 1 },
    { asset: { kind: 'Call' }, amountUnits: 1n },
  ],
  ['a token’s transfer with an additional byte is a call', { to: TOKEN, data: `${transferData}00` }, { asset: { kind: 'Call' } }],
  [
    'a token’s transfer with a padded address is a call',
    { to: TOKEN, data: `0xa9059cbb01${transferData.slice(12)}` },
    { asset: { kind: 'Call' } },
  ],
  [
    'an approval of the token is a call',
    { to: TOKEN, data: encodeFunctionData({ abi: ABI, functionName: 'approve', args: [TO, 5n] }) },
    { asset: { kind: 'Call' } },
  ],
  ['value with data is a call', { value: '5', data: '0x00' }, { asset: { kind: 'Call' }, recipient: TO, amountUnits: 5n }],
])('%s, for both builder and decoder', (_what, input, effect) => {
  const wanted = call(input);
  const fees = { gas: 21_000n, maxFeePerGas: 3n, maxPriorityFeePerGas: 1n };
  expect(codec.effectOf(wanted)).toMatchObject(effect);
  expect(decoder.decodeCall(codec.buildCall(wanted, 0, fees).bytesHex).effect).toMatchObject(effect);
});

test('a delegation of an account is a call, whatever the other members are', async () => {
  const wanted = call({ type: 4, value: 5, authorizationList: [await authorized(authority, 0, TOKEN)] });
  expect(codec.effectOf(wanted)).toEqual({ asset: { kind: 'Call' }, recipient: TO, amountUnits: 5n });
});

const base = {
  chainId: CHAIN_ID,
  nonce: 3,
  to: TO,
  value: 5n,
  gas: 21_000n,
  maxFeePerGas: 3n,
  maxPriorityFeePerGas: 1n,
} as const;
const plain = serializeTransaction({ type: 'eip1559', ...base });

test.each<[string, string]>([
  ['a transaction with blobs', `0x03${plain.slice(4)}`],
  ['a contract creation', serializeTransaction({ type: 'eip1559', ...base, to: null, data: '0x00' })],
  [
    'a legacy transaction without its chain',
    serializeTransaction({ type: 'legacy', nonce: 3, to: TO, gas: 21_000n, gasPrice: 3n }),
  ],
  ['a signed transaction', serializeTransaction({ type: 'eip1559', ...base }, { r: '0x11', s: '0x22', yParity: 0 })],
  ['a byte after the transaction', `${plain}00`],
  ['a truncated transaction', plain.slice(0, -2)],
  ['upper-case hex', `0x${plain.slice(2).toUpperCase()}`],
  ['nothing', '0x'],
])('%s is never understood', (_what, bytesHex) => {
  expect(decoder.decodeCall(bytesHex).opaque).not.toEqual([]);
});

test('the nonces of the sender’s own authorizations follow the nonce of the transaction, and determine this nonce when it is omitted', async () => {
  const own = codec.termsOf(
    { type: 4, to: TO, authorizationList: [await authorized(authority, 8, TOKEN)] },
    authority.address,
    'body',
  );
  expect(own).toMatchObject({ nonce: 7, ownNonces: [8] });
  const list = [await authorized(authority, 8, TOKEN), await authorized(authority, 10, TOKEN)];
  const fault = expect.objectContaining({ code: 'InvalidRequest' });
  expect(() => codec.termsOf({ type: 4, to: TO, authorizationList: list }, authority.address, 'body')).toThrow(fault);
  expect(() =>
    codec.termsOf({ type: 4, to: TO, nonce: 8, authorizationList: list.slice(0, 1) }, authority.address, 'body'),
  ).toThrow(fault);
});

describe('on a real chain', () => {
  let chain: Awaited<ReturnType<typeof startAnvil>>;
  let token: string;
  beforeAll(async () => {
    chain = await startAnvil();
    const path = join(__dirname, '../../../node_modules/@openzeppelin/contracts/build/contracts/ERC20PresetFixedSupply.json');
    const { bytecode } = JSON.parse(readFileSync(path, 'utf8')) as { bytecode: string };
    const parameters = [{ type: 'string' }, { type: 'string' }, { type: 'uint256' }, { type: 'address' }] as const;
    const args = encodeAbiParameters(parameters, ['Test Dollar', 'TUSD', SUPPLY_UNITS, FAUCET]);
    token = await chain.deploy(bytecode + args.slice(2));
  });
  afterAll(() => chain.stop());

  const Receipt = z.object({ status: z.string(), type: z.string() }).nullable();
  const send = async (input: TransactionInput) => {
    const asked = terms({ to: token, ...input });
    const fees = await chain.reader.callFees(FAUCET, asked);
    const built = codec.buildCall(asked.call, await chain.reader.transactionCount(FAUCET, 'latest'), fees);
    const { rawHex } = codec.attach(built, chain.sign(built.digestHex), FAUCET);
    expect(Transaction.fromHex(rawHex).sender).toBe(FAUCET);
    const txHash = await chain.call('eth_sendRawTransaction', [rawHex], Hash);
    return waitUntil('the receipt', async () => (await chain.call('eth_getTransactionReceipt', [txHash], Receipt)) ?? undefined);
  };

  test.each([
    ['0', { type: 0 }],
    ['1', { type: 1, accessList: [{ address: TO, storageKeys: [word('00')] }] }],
    ['2', {}],
  ])('a contract call of type %s is accepted and changes the state of the contract', async (type, input) => {
    const before = await chain.reader.tokenBalance(token, TO);
    expect(await send({ data: transferData, ...input })).toMatchObject({ status: '0x1', type: `0x${type}` });
    expect(await chain.reader.tokenBalance(token, TO)).toBe(before + 5n);
  });

  test('a transaction of type 4 delegates the account that signed the authorization', async () => {
    const authorizationList = [await authorized(authority, 0, token)];
    expect(await send({ type: 4, data: transferData, authorizationList })).toMatchObject({ status: '0x1', type: '0x4' });
    const code = await chain.call('eth_getCode', [authority.address, 'latest'], z.string());
    expect(code).toBe(`0xef0100${token.slice(2).toLowerCase()}`);
  });

  test('a call that would revert is refused before anything is built, unless the caller sets the gas limit', async () => {
    const failing = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [TO, SUPPLY_UNITS + 1n] });
    await expect(chain.reader.callFees(FAUCET, terms({ to: token, data: failing }))).rejects.toMatchObject({
      code: 'TransferWouldFail',
    });
    expect(await chain.reader.callFees(FAUCET, terms({ to: token, data: failing, gasLimit: 90_000 }))).toMatchObject({
      gas: 90_000n,
    });
  });

  test('prices that the caller sets stay; a price below the next base fee is refused, because it would block all later nonces', async () => {
    const fees = await chain.reader.callFees(FAUCET, terms({ to: TO, maxFeePerGas: '5000000000', maxPriorityFeePerGas: '7' }));
    expect(fees).toEqual({ gas: 21_000n, maxFeePerGas: 5_000_000_000n, maxPriorityFeePerGas: 7n });
    expect(await chain.reader.callFees(FAUCET, terms({ type: 0, to: TO, gasPrice: '5000000000' }))).toMatchObject({
      maxFeePerGas: 5_000_000_000n,
    });
    await expect(chain.reader.callFees(FAUCET, terms({ to: TO, maxFeePerGas: '1' }))).rejects.toMatchObject({
      code: 'TransferWouldFail',
    });
  });
});
