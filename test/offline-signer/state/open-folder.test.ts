import { scryptSync } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIdentity } from '../../../offline-signer/secrets/identity-keys';
import { createFolder, openFolder } from '../../../offline-signer/state/open-folder';
import { SealedState, sealState, unsealState } from '../../../offline-signer/state/pin-seal';
import { isSoundCard } from '../../../platform/fleets/cards';
import { isStated } from '../../../platform/fleets/statement';

const PIN = 'a long sentence of the device';
const QUICK = { N: 2 ** 4, r: 8, p: 1 };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strongroom-offline-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const create = async (pin = PIN) => createFolder(folder, pin, await createIdentity('Device', 'D-1'), QUICK);
const stateFile = () => join(folder, 'state.sealed');
const claimOf = (claim: string, payload = 'a') => ({
  ...{ claim, payloadDigest: payload.repeat(64), requestId: 'rq-1', operationId: 'op-1' },
});

test('an identity has a sound card, and its keys stay in the sealed state', async () => {
  const { card, signingSecret, sealingSecret } = (await create()).state();
  expect(isSoundCard(card)).toBe(true);
  const text = readFileSync(stateFile(), 'utf8');
  for (const secret of [signingSecret, sealingSecret]) expect(text).not.toContain(secret);
  expect(statSync(stateFile()).mode & 0o777).toBe(0o600);
  const again = openFolder(folder, PIN);
  expect(again.state()).toMatchObject({ card, signingSecret, sealingSecret });
  expect(isStated('output', { a: 1 }, again.sign('output', { a: 1 }))).toBe(true);
});

test('a folder has one identity', async () => {
  await create();
  await expect(create()).rejects.toThrow('holds an identity already');
});

test('a PIN has at least 16 characters, and a wrong PIN opens nothing', async () => {
  await expect(create('123456789012345')).rejects.toThrow('at least 16');
  await create('1234567890123456');
  expect(() => openFolder(folder, '1234567890123457')).toThrow('The PIN is wrong');
  expect(openFolder(folder, '1234567890123456').state().card.serial).toBe('D-1');
});

test('a folder whose PIN is shorter than new PINs opens as before', async () => {
  await create();
  const plain = unsealState(SealedState.parse(JSON.parse(readFileSync(stateFile(), 'utf8'))), PIN).plain;
  const salt = Buffer.alloc(16).toString('base64');
  const header = { v: 1, kdf: 'scrypt', ...QUICK, salt } as const;
  const key = scryptSync('12345678', Buffer.alloc(16), 32, QUICK);
  writeFileSync(stateFile(), sealState({ header, key }, plain));
  expect(openFolder(folder, '12345678').state().card.serial).toBe('D-1');
});

test('a state that was changed is refused, at every place', async () => {
  await create();
  const text = readFileSync(stateFile(), 'utf8');
  for (let at = 0; at < text.length; at += 97) {
    const changed = text[at] === 'A' ? 'B' : 'A';
    writeFileSync(stateFile(), `${text.slice(0, at)}${changed}${text.slice(at + 1)}`);
    expect(() => openFolder(folder, PIN)).toThrow();
  }
});

test('a second run of the program does not overwrite the first', async () => {
  const one = await create();
  const two = openFolder(folder, PIN);
  one.save({ done: ['op-1'] });
  expect(() => two.save({ done: ['op-2'] })).toThrow('Another run');
  expect(openFolder(folder, PIN).state().done).toEqual(['op-1']);
});

test('keys exist only while they are used', async () => {
  const open = await create();
  await expect(open.withKeys(() => undefined)).rejects.toThrow('no master secret');
  open.save({ master: '07'.repeat(32) });
  const kept = await open.withKeys(({ derive }) => {
    const secret = derive('ed25519', 0);
    expect(secret.every((byte) => byte === 0)).toBe(false);
    return secret;
  });
  expect(kept.every((byte) => byte === 0)).toBe(true);
  await expect(open.withKeys(({ derive }) => derive('ed25519', -1))).rejects.toThrow('out of range');
});

test('a folder without a confirmed manifest or signer says so', async () => {
  const open = await create();
  expect(() => open.committedManifest()).toThrow('not confirmed a manifest');
  expect(() => open.pinnedSignerKey()).toThrow('compared with paper');
});

describe('the log of claims', () => {
  const log = () => join(folder, 'claims.log');

  test('keeps the payload of a claim for ever', async () => {
    const { claims } = await create();
    claims.record(claimOf('nonce-1'));
    claims.record(claimOf('nonce-1'));
    expect(() => claims.record(claimOf('nonce-1', 'b'))).toThrow('another payload');
    const again = openFolder(folder, PIN);
    expect(again.claims.usesOf('nonce-1')).toEqual([claimOf('nonce-1')]);
    expect(again.claims.usesOf('nonce-2')).toEqual([]);
    expect(() => again.claims.record(claimOf('nonce-1', 'b'))).toThrow('another payload');
    expect(again.state().claims.count).toBe(1);
  });

  test('keeps both payloads of a replaced claim, and only the holder is replaced', async () => {
    const { claims } = await create();
    const use = (requestId: string, payload: string, replaces?: string) => ({
      ...{ ...claimOf('nonce-1', payload), requestId },
      ...(replaces === undefined ? {} : { replaces }),
    });
    claims.record(use('rq-1', 'a'));
    expect(() => claims.record(use('rq-2', 'b', 'rq-9'))).toThrow('another payload');
    claims.record(use('rq-2', 'b', 'rq-1'));
    expect(() => claims.record(use('rq-3', 'c', 'rq-1'))).toThrow('in request rq-2');
    const again = openFolder(folder, PIN);
    expect(again.claims.usesOf('nonce-1')).toEqual([use('rq-1', 'a'), use('rq-2', 'b', 'rq-1')]);
    again.claims.record(use('rq-1', 'a'));
    expect(() => again.claims.record(use('rq-3', 'c', 'rq-1'))).toThrow('in request rq-2');
    again.claims.record(use('rq-3', 'c', 'rq-2'));
    expect(again.state().claims.count).toBe(3);
    const lines = readFileSync(log(), 'utf8').split('\n').slice(0, -1);
    expect(lines.map((line) => 'replaces' in JSON.parse(line))).toEqual([false, true, true]);
  });

  test('is refused if a line is missing, changed or exchanged', async () => {
    const { claims } = await create();
    for (const name of ['one', 'two', 'three']) claims.record(claimOf(name));
    const text = readFileSync(log(), 'utf8');
    const lines = text.split('\n').slice(0, -1);
    for (const changed of [[lines[0], lines[1]], [lines[1], lines[2]], [lines[1], lines[0], lines[2]], []]) {
      writeFileSync(log(), changed.map((line) => `${line}\n`).join(''));
      expect(() => openFolder(folder, PIN)).toThrow('log of claims');
    }
    writeFileSync(log(), text.replace('"two"', '"six"'));
    expect(() => openFolder(folder, PIN)).toThrow('log of claims');
    rmSync(log());
    expect(() => openFolder(folder, PIN)).toThrow('log of claims');
    writeFileSync(log(), text);
    expect(openFolder(folder, PIN).claims.usesOf('three')).toHaveLength(1);
  });

  test('loses nothing and adds nothing if the machine stops while a claim is written', async () => {
    const { claims } = await create();
    claims.record(claimOf('one'));
    const sealed = readFileSync(stateFile(), 'utf8');
    claims.record(claimOf('two'));
    // The line was written, and the state was not.
    writeFileSync(stateFile(), sealed);
    expect(() => openFolder(folder, PIN).claims.record(claimOf('two', 'b'))).toThrow('another payload');
    // Part of a line was written.
    truncateSync(log(), readFileSync(log()).length - 5);
    const again = openFolder(folder, PIN);
    expect(again.claims.usesOf('two')).toEqual([]);
    again.claims.record(claimOf('two', 'b'));
    expect(openFolder(folder, PIN).claims.usesOf('two')).toEqual([claimOf('two', 'b')]);
  });

  test('keeps the line of another run', async () => {
    const { claims } = await create();
    const other = openFolder(folder, PIN);
    claims.record(claimOf('one'));
    expect(() => other.claims.record(claimOf('one', 'b'))).toThrow('Another run');
    expect(openFolder(folder, PIN).claims.usesOf('one')).toEqual([claimOf('one')]);
  });

  test('refuses a line that the device did not write', async () => {
    const { claims } = await create();
    claims.record(claimOf('one'));
    appendFileSync(log(), '{}\n');
    expect(() => openFolder(folder, PIN)).toThrow('cannot be read');
  });
});
