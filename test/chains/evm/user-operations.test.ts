import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { privateKeyToAccount } from 'viem/accounts';
import { decodeEventLog, getCreate2Address, parseAbi } from 'viem/utils';
import { z } from 'zod';
import { readSponsoredCall } from '../../../chains/evm/decoder-user-operations';
import type { UserOperation } from '../../../chains/evm/types';
import { DELEGATE, ENTRY_POINT, sponsoredCall, userOperationDigest } from '../../../chains/evm/user-operations';
import { Hash, Quantity } from '../../../chains/rpc/rpc';
import { waitUntil } from '../../support/wait-until';
import { FAUCET, startAnvil } from './anvil';

const CHAIN_ID = 11_155_111;
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const SALTS = {
  EntryPoint: '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9',
  Simple7702Account: `0x${'00'.repeat(32)}`,
} as const;
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const owner = privateKeyToAccount(`0x${'03'.repeat(32)}`);
const operation: UserOperation = {
  sender: owner.address,
  nonce: 0n,
  calls: [
    { to: TO, valueUnits: '5', dataHex: '0x' },
    { to: FAUCET, valueUnits: '7', dataHex: '0x1234' },
  ],
  verificationGas: 100_000n,
  callGas: 300_000n,
};
const signed = (one: UserOperation) => owner.sign({ hash: userOperationDigest(one, CHAIN_ID) as `0x${string}` });
const codeOf = (name: keyof typeof SALTS) => {
  const path = join(__dirname, `../../../node_modules/@account-abstraction/contracts/artifacts/${name}.json`);
  return (JSON.parse(readFileSync(path, 'utf8')) as { bytecode: `0x${string}` }).bytecode;
};

test('the addresses that follow from the bytecode of both contracts are the published addresses', () => {
  const addressOf = (name: keyof typeof SALTS) =>
    getCreate2Address({ from: DEPLOYER, salt: SALTS[name], bytecode: codeOf(name) });
  expect([addressOf('EntryPoint'), addressOf('Simple7702Account')]).toEqual([ENTRY_POINT, DELEGATE]);
});

test('for any calls, the decoder reads the built operation and computes the signed digest', () => {
  const hexes = fc.uint8Array({ maxLength: 100 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
  const units = fc.bigInt(0n, 2n ** 256n - 1n);
  const gas = fc.bigInt(0n, 2n ** 128n - 1n);
  const call = fc.record({ to: fc.constantFrom(TO, FAUCET), valueUnits: units.map(String), dataHex: hexes });
  const any = fc.record({
    sender: fc.constant(owner.address),
    nonce: units,
    calls: fc.array(call, { minLength: 1, maxLength: 5 }),
    verificationGas: gas,
    callGas: gas,
  });
  fc.assert(
    fc.property(any, (one) => {
      const signatureHex = `0x${'11'.repeat(65)}`;
      expect(readSponsoredCall(sponsoredCall(one, signatureHex, FAUCET), CHAIN_ID)).toEqual({
        operation: one,
        signatureHex,
        sponsor: FAUCET,
        digestHex: userOperationDigest(one, CHAIN_ID),
      });
    }),
    { numRuns: 50 },
  );
});

test('bytes with an added, a removed or a changed byte are not read as the same operation', async () => {
  const data = sponsoredCall(operation, await signed(operation), FAUCET);
  const whole = readSponsoredCall(data, CHAIN_ID);
  expect(readSponsoredCall(`${data}00`, CHAIN_ID)).toBeUndefined();
  expect(readSponsoredCall(data.slice(0, -2), CHAIN_ID)).toBeUndefined();
  for (let at = 2; at < data.length; at += 2) {
    const changed = `${data.slice(0, at)}${data.slice(at, at + 2) === '01' ? '02' : '01'}${data.slice(at + 2)}`;
    expect(readSponsoredCall(changed, CHAIN_ID)).not.toEqual(whole);
  }
});

test('on a real node the sponsor pays the fee, the sender pays only the amount, and an operation cannot be sent twice', async () => {
  const chain = await startAnvil();
  try {
    const send = async (transaction: object) => {
      const hash = await chain.call('eth_sendTransaction', [{ from: FAUCET, gas: '0x5b8d80', ...transaction }], Hash);
      const Receipt = z
        .object({ status: Quantity, logs: z.array(z.object({ data: z.string(), topics: z.array(z.string()) })) })
        .nullable();
      return waitUntil('the receipt', async () => (await chain.call('eth_getTransactionReceipt', [hash], Receipt)) ?? false);
    };
    for (const name of ['EntryPoint', 'Simple7702Account'] as const) {
      await send({ to: DEPLOYER, data: `${SALTS[name]}${codeOf(name).slice(2)}` });
    }
    expect([await chain.reader.hasCode(ENTRY_POINT), await chain.reader.hasCode(DELEGATE)]).toEqual([true, true]);
    await chain.call('anvil_setBalance', [owner.address, '0x64'], z.unknown());
    const { r, s, yParity } = await owner.signAuthorization({ contractAddress: DELEGATE, chainId: CHAIN_ID, nonce: 0 });
    const authorizationList = [
      { chainId: `0x${CHAIN_ID.toString(16)}`, address: DELEGATE, nonce: '0x0', yParity: `0x${yParity}`, r, s },
    ];
    const transaction = { to: ENTRY_POINT, data: sponsoredCall(operation, await signed(operation), FAUCET), authorizationList };
    const { status, logs } = await send(transaction);
    const EVENT = parseAbi([
      'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
    ]);
    const { data, topics } = logs.at(-1) ?? { data: '0x', topics: [] };
    const event = decodeEventLog({ abi: EVENT, data: data as `0x${string}`, topics: topics as [`0x${string}`] });
    expect([status, event.args]).toMatchObject([
      1n,
      { userOpHash: userOperationDigest(operation, CHAIN_ID), success: true, actualGasCost: 0n },
    ]);
    expect(await chain.reader.nativeBalance(owner.address)).toBe(88n);
    const { authorizationList: _used, ...again } = transaction;
    await expect(chain.call('eth_call', [{ from: FAUCET, ...again }, 'latest'], z.unknown())).rejects.toThrow('AA25');
  } finally {
    await chain.stop();
  }
});
