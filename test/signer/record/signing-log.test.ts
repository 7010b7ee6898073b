import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Signed } from '../../../signer/record/signing-entries';
import { createSigningLog } from '../../../signer/record/signing-log';
import { openJournal, refusedAs, temporaryFolder } from '../fixtures';

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
async function open(path = folder.path) {
  const journal = await openJournal(path);
  return { log: createSigningLog(journal), journal };
}
const never = () => {
  throw new Error('signed a second time');
};

test('signed requests are still known after a restart, by request, intent and claim', async () => {
  const { log: first, journal: before } = await open();
  expect(first.find(signed)).toBeUndefined();
  expect(await first.record(signed, () => result)).toEqual(result);
  await before.close();

  const { log, journal } = await open();
  const other = { payloadDigest: digest('b') };
  expect(log.size).toBe(1);
  expect(log.find(signed)).toEqual(result);
  expect(await log.record(signed, never)).toEqual(result);
  expect(() => log.find({ ...signed, ...other })).toThrow(refusedAs('RequestIdReused'));
  const renamed = { ...signed, ...other, requestId: 'xfr-2' };
  expect(() => log.find(renamed)).toThrow(refusedAs('IntentSignedAlready'));
  expect(() => log.find({ ...renamed, intentId: 'invoice 2' })).toThrow(refusedAs('NonceSignedAlready'));
  await expect(log.record({ ...renamed, intentId: 'invoice 2' }, never)).rejects.toThrow(refusedAs('NonceSignedAlready'));
  expect(log.find({ ...renamed, intentId: 'invoice 2', claim: 'EthereumSepolia 0xabc 2' })).toBeUndefined();
  await journal.close();
});

test('a signature is recognised by only its two words (r and s), also after a restart', async () => {
  const path = join(folder.path, 'made');
  mkdirSync(path);
  const { log: first, journal: before } = await open(path);
  const [own] = result.signatures;
  const made = { r: own?.r ?? '', s: own?.s ?? '' };
  const further = { r: `0x${digest('5')}`, s: `0x${digest('6')}` };
  expect(first.hasMade(made)).toBe(false);
  await first.record(signed, () => ({ ...result, signatures: [...result.signatures, further] }));
  await before.close();
  const { log, journal } = await open(path);
  expect([made, further, { ...made, s: further.s }, { r: made.s, s: made.r }].map(log.hasMade)).toEqual([
    true,
    true,
    false,
    false,
  ]);
  await journal.close();
});

test('a failed signature makes no claim on a nonce or coin', async () => {
  const { log, journal } = await open();
  const next = {
    ...signed,
    requestId: 'xfr-3',
    intentId: 'invoice 3',
    claim: 'EthereumSepolia 0xabc 3',
    payloadDigest: digest('c'),
  };
  await expect(log.record(next, never)).rejects.toThrow('signed a second time');
  expect(await log.record({ ...next, payloadDigest: digest('d') }, () => result)).toEqual(result);
  await journal.close();
});

test('a withdrawn request is never signed, also after a restart, and a signed one cannot be withdrawn', async () => {
  const next = (name: string) => ({ ...signed, requestId: name, intentId: name, claim: `EthereumSepolia 0xdef ${name}` });
  const { log: first, journal: before } = await open();
  expect(await first.withdraw(of('xfr-never'))).toBe(true);
  await first.record(next('xfr-signed'), () => result);
  expect(await first.withdraw(of('xfr-signed'))).toBe(false);
  await before.close();
  const { log, journal } = await open();
  expect([await log.withdraw(of('xfr-never')), await log.withdraw(of('xfr-signed')), log.hasSigned(of('xfr-never'))]).toEqual([
    true,
    false,
    false,
  ]);
  await expect(log.record(next('xfr-never'), never)).rejects.toThrow(refusedAs('RequestWithdrawn'));
  expect(log.find(next('xfr-signed'))).toEqual(result);
  await journal.close();
});

test('a request, claim or withdrawal of one organisation does not affect another organisation', async () => {
  const { log, journal } = await open();
  const ours = { ...signed, requestId: 'xfr-s1', intentId: 's1', claim: 'EthereumSepolia 0xeee 1' };
  const theirs = { ...ours, orgId: 'or-b', payloadDigest: digest('f') };
  expect(await log.withdraw({ orgId: 'or-b', requestId: 'xfr-s1' })).toBe(true);
  expect(await log.record(ours, () => result)).toEqual(result);
  expect(() => log.find(theirs)).toThrow(refusedAs('RequestWithdrawn'));
  const next = { ...theirs, requestId: 'xfr-s2' };
  expect(log.hasSigned({ orgId: 'or-b', requestId: 'xfr-s1' })).toBe(false);
  expect(await log.record(next, () => result)).toEqual(result);
  expect(
    await log.record({ ...ours, requestId: 'xfr-s2', intentId: 's2', claim: 'EthereumSepolia 0xeee 2' }, () => result),
  ).toEqual(result);
  // A request cannot replace another organisation's request by giving that request's id.
  const rival = { ...ours, requestId: 'xfr-s3', intentId: 's3', payloadDigest: digest('9'), replaces: 'xfr-s2' };
  expect(() => log.find(rival)).toThrow(refusedAs('ReplacesNothing'));
  await journal.close();
  const { log: again, journal: reopened } = await open();
  expect(() => again.find(theirs)).toThrow(refusedAs('RequestWithdrawn'));
  expect(again.find(ours)).toEqual(result);
  await reopened.close();
});

test('a withdrawal from an older release, which did not specify an organisation, applies to every organisation', async () => {
  const elsewhere = temporaryFolder();
  const { log, journal } = await open(elsewhere.path);
  await journal.append({ kind: 'Withdrawn', requestId: 'xfr-old' });
  for (const orgId of ['or-a', 'or-b'])
    expect(() => log.find({ ...signed, orgId, requestId: 'xfr-old' })).toThrow(refusedAs('RequestWithdrawn'));
  await journal.close();
  elsewhere.remove();
});

test('two intents that differ only in half a surrogate pair are two intents', async () => {
  const { log, journal } = await open();
  const { claim: _none, ...free } = signed;
  const next = (requestId: string, intentId: string, digit: string) => ({
    ...free,
    requestId,
    intentId,
    payloadDigest: digest(digit),
  });
  await log.record(next('xfr-h1', 'half \ud800', '5'), () => result);
  await journal.index.flushed();
  expect(await log.record(next('xfr-h2', 'half \ud801', '6'), () => result)).toEqual(result);
  await journal.close();
});

test('a replacement is refused unless it shares a claim (a nonce or coin) with the request that it replaces', async () => {
  const { log, journal } = await open();
  const first = { ...signed, requestId: 'xfr-r1', intentId: 'r1', claim: 'EthereumSepolia 0xaaa 7' };
  await log.record(first, () => result);
  const { intentId: _none, ...rest } = first;
  const second = { ...rest, requestId: 'tx-r2', payloadDigest: digest('e'), replaces: 'xfr-r1' };
  expect(() => log.find({ ...second, claim: 'EthereumSepolia 0xaaa 8' })).toThrow(refusedAs('ReplacesNothing'));
  expect(() => log.find({ ...second, replaces: 'xfr-unknown' })).toThrow(refusedAs('NonceSignedAlready'));
  expect(await log.record(second, () => result)).toEqual(result);
  expect(log.find(first)).toEqual(result);
  await journal.close();
});
