import { join } from 'node:path';
import { openSigningLog, type Signed } from '../../signer/signing-log';
import { refusedAs, temporaryFolder } from './fixtures';

const folder = temporaryFolder();
afterAll(folder.remove);

const digest = (digit: string) => digit.repeat(64);
const signed: Signed = {
  requestId: 'xfr-1',
  intentId: 'invoice 1',
  orgId: 'or-a',
  keyId: 'key-1',
  intentDigest: digest('1'),
  payloadDigest: digest('a'),
  claim: 'EthereumSepolia 0xabc 1',
};
const result = {
  signatures: [{ r: `0x${digest('2')}`, s: `0x${digest('3')}`, recoveryId: 1 as const }],
  digestHex: `0x${digest('4')}`,
};
const fail = (cause: Error) => {
  throw cause;
};
const open = () => openSigningLog(join(folder.path, 'signatures.jsonl'), fail);
const never = () => {
  throw new Error('signed a second time');
};

test('what was signed is still known after a restart, by request, intent and claim', async () => {
  const first = await open();
  expect(await first.find(signed)).toBeUndefined();
  expect(await first.record(signed, () => result)).toEqual(result);
  await first.close();

  const log = await open();
  const other = { payloadDigest: digest('b') };
  expect(log.size).toBe(1);
  expect(await log.find(signed)).toEqual(result);
  expect(await log.record(signed, never)).toEqual(result);
  await expect(log.find({ ...signed, ...other })).rejects.toThrow(refusedAs('RequestIdReused'));
  const renamed = { ...signed, ...other, requestId: 'xfr-2' };
  await expect(log.find(renamed)).rejects.toThrow(refusedAs('IntentSignedAlready'));
  await expect(log.find({ ...renamed, intentId: 'invoice 2' })).rejects.toThrow(refusedAs('NonceSignedAlready'));
  await expect(log.record({ ...renamed, intentId: 'invoice 2' }, never)).rejects.toThrow(refusedAs('NonceSignedAlready'));
  expect(await log.find({ ...renamed, intentId: 'invoice 2', claim: 'EthereumSepolia 0xabc 2' })).toBeUndefined();
  await log.close();
});

test('a signature that failed takes nothing', async () => {
  const log = await open();
  const next = {
    ...signed,
    requestId: 'xfr-3',
    intentId: 'invoice 3',
    claim: 'EthereumSepolia 0xabc 3',
    payloadDigest: digest('c'),
  };
  await expect(log.record(next, never)).rejects.toThrow('signed a second time');
  expect(await log.record({ ...next, payloadDigest: digest('d') }, () => result)).toEqual(result);
  await log.close();
});
