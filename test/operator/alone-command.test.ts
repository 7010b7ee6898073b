import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHARTER_COMMANDS } from '../../operator/charter-commands';
import { operatorKeyOf } from '../../signer/charters/charter';
import { createPortableSigning } from '../../signer/keys/sealed-signing';
import { openOperations } from '../../signer/orders/operations';
import { readStatement } from '../../signer/record/replication/alone';
import { stateFilesOf } from '../../signer/wire/operator-api';
import { kekOf } from '../signer/fixtures';

const folder = mkdtempSync(join(tmpdir(), 'alone-'));
const path = (name: string) => join(folder, name);
const stateDir = path('state');
const alone = CHARTER_COMMANDS['authority:alone'];
const original = process.env;
let keyHex: string;
beforeAll(async () => {
  mkdirSync(stateDir, { mode: 0o700 });
  process.env = { ...original, SIGNER_STATE_DIR: stateDir };
  const kek = kekOf(7);
  const signing = createPortableSigning(kek);
  const onBroken = (cause: Error) => {
    throw cause;
  };
  const opened = await openOperations({ stateDir, kek, signing, switches: new Set(), nowMs: () => Date.now(), onBroken });
  await opened.close();
  const lines = await CHARTER_COMMANDS['authority:key'].run({ to: path('key.pem') });
  keyHex = /^Public half {3}([0-9a-f]{64})$/m.exec(lines.join('\n'))?.[1] ?? '';
});
afterAll(() => {
  process.env = original;
  rmSync(folder, { recursive: true });
});

test('at its next start, the signer reads the statement that the operator has drafted, signed and placed', async () => {
  const drafted = await alone.run({ draft: path('alone.txt') });
  expect(drafted.join('\n')).toContain('no other signer with this journal runs');
  await alone.run({ sign: path('alone.txt'), key: path('key.pem') });
  await alone.run({ place: path('alone.txt.signed') });
  const read = await readStatement(stateDir, operatorKeyOf(Buffer.from(keyHex, 'hex')));
  expect(read?.statement).toBe(readFileSync(path('alone.txt'), 'utf8'));
  expect(stateFilesOf(stateDir)).not.toContain('alone.json');
});

test('no other text is signed or placed, and each call does one step', async () => {
  await expect(alone.run({ sign: path('key.pem'), key: path('key.pem') })).rejects.toThrow();
  await expect(alone.run({ place: path('alone.txt') })).rejects.toThrow();
  await expect(alone.run({})).rejects.toThrow('Pass --draft');
  await expect(alone.run({ sign: path('alone.txt') })).rejects.toThrow('Pass --draft');
  await expect(alone.run({ draft: path('a'), place: path('alone.txt.signed') })).rejects.toThrow('Pass --draft');
});
