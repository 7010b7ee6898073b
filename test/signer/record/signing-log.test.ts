import { join } from 'node:path';
import { DurableFile } from '../../../signer/record/durable-file';
import { openSigningLog, type Signed } from '../../../signer/record/signing-log';
import { refusedAs, temporaryFolder } from '../fixtures';

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
const of = (requestId: string) => ({ orgId: signed.orgId, requestId });
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

test('a failed signature claims nothing', async () => {
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

test('a withdrawn request is never signed, also after a restart, and a signed one cannot be withdrawn', async () => {
  const next = (name: string) => ({ ...signed, requestId: name, intentId: name, claim: `EthereumSepolia 0xdef ${name}` });
  const first = await open();
  expect(await first.withdraw(of('xfr-never'))).toBe(true);
  await first.record(next('xfr-signed'), () => result);
  expect(await first.withdraw(of('xfr-signed'))).toBe(false);
  await first.close();
  const log = await open();
  expect([await log.withdraw(of('xfr-never')), await log.withdraw(of('xfr-signed')), log.hasSigned(of('xfr-never'))]).toEqual([
    true,
    false,
    false,
  ]);
  await expect(log.record(next('xfr-never'), never)).rejects.toThrow(refusedAs('RequestWithdrawn'));
  expect(await log.find(next('xfr-signed'))).toEqual(result);
  await log.close();
});

test('request, claim and withdrawal of one organisation do not affect another', async () => {
  const log = await open();
  const ours = { ...signed, requestId: 'xfr-s1', intentId: 's1', claim: 'EthereumSepolia 0xeee 1' };
  const theirs = { ...ours, orgId: 'or-b', payloadDigest: digest('f') };
  expect(await log.withdraw({ orgId: 'or-b', requestId: 'xfr-s1' })).toBe(true);
  expect(await log.record(ours, () => result)).toEqual(result);
  await expect(log.find(theirs)).rejects.toThrow(refusedAs('RequestWithdrawn'));
  const next = { ...theirs, requestId: 'xfr-s2' };
  expect(log.hasSigned({ orgId: 'or-b', requestId: 'xfr-s1' })).toBe(false);
  expect(await log.record(next, () => result)).toEqual(result);
  expect(
    await log.record({ ...ours, requestId: 'xfr-s2', intentId: 's2', claim: 'EthereumSepolia 0xeee 2' }, () => result),
  ).toEqual(result);
  // A request cannot replace a request of another organisation by naming that request.
  const rival = { ...ours, requestId: 'xfr-s3', intentId: 's3', payloadDigest: digest('9'), replaces: 'xfr-s2' };
  await expect(log.find(rival)).rejects.toThrow(refusedAs('ReplacesNothing'));
  await log.close();
  const again = await open();
  await expect(again.find(theirs)).rejects.toThrow(refusedAs('RequestWithdrawn'));
  expect(await again.find(ours)).toEqual(result);
  await again.close();
});

test('a withdrawal of an older release, which named no organisation, holds for every organisation', async () => {
  const elsewhere = temporaryFolder();
  const path = join(elsewhere.path, 'signatures.jsonl');
  const file = await DurableFile.open(path, () => undefined, fail);
  await file.append({ at: '2026-01-01T00:00:00.000Z', withdrawn: 'xfr-old' });
  await file.close();
  const log = await openSigningLog(path, fail);
  for (const orgId of ['or-a', 'or-b'])
    await expect(log.find({ ...signed, orgId, requestId: 'xfr-old' })).rejects.toThrow(refusedAs('RequestWithdrawn'));
  await log.close();
  elsewhere.remove();
});

test('a replacement shares a claim with the bytes that it names, or is refused', async () => {
  const log = await open();
  const first = { ...signed, requestId: 'xfr-r1', intentId: 'r1', claim: 'EthereumSepolia 0xaaa 7' };
  await log.record(first, () => result);
  const { intentId: _none, ...rest } = first;
  const second = { ...rest, requestId: 'tx-r2', payloadDigest: digest('e'), replaces: 'xfr-r1' };
  await expect(log.find({ ...second, claim: 'EthereumSepolia 0xaaa 8' })).rejects.toThrow(refusedAs('ReplacesNothing'));
  await expect(log.find({ ...second, replaces: 'xfr-unknown' })).rejects.toThrow(refusedAs('NonceSignedAlready'));
  expect(await log.record(second, () => result)).toEqual(result);
  expect(await log.find(first)).toEqual(result);
  await log.close();
});
