import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHARTER_COMMANDS } from '../../operator/charter-commands';
import { createFileKek } from '../../signer/keys/kek';
import { createPortableSigning } from '../../signer/keys/sealed-signing';
import { openOperations } from '../../signer/orders/operations';

const original = process.env;
let folder: string;
let stateDir: string;
let work: string;

const KEY_HEX = '5a'.repeat(32);
const fail = (cause: Error) => {
  throw cause;
};
const keyFile = (name: string, hex: string) => {
  writeFileSync(join(folder, name), hex, { mode: 0o600 });
  return join(folder, name);
};
const verify = (options: { readonly org?: string } = {}) => CHARTER_COMMANDS['authority:verify'].run({ ...options, work });

let attestationKey: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'verify-command-'));
  [stateDir, work] = [join(folder, 'state'), join(folder, 'work')];
  for (const path of [stateDir, work]) mkdirSync(path, { mode: 0o700 });
  const kek = createFileKek(Buffer.from(KEY_HEX, 'hex'));
  const signing = createPortableSigning(kek);
  const signer = await openOperations({
    ...{ stateDir, kek, signing, switches: new Set<never>(), nowMs: () => Date.now(), onBroken: fail },
  });
  await signer.journal.append({ kind: 'Withdrawn', orgId: 'or-a', requestId: 'xfr-a' });
  await signer.journal.append({ kind: 'Withdrawn', orgId: 'or-b', requestId: 'xfr-b' });
  attestationKey = signer.attestor.publicKeyHex;
  await signer.close();
});
beforeEach(() => {
  process.env = { NODE_ENV: 'production', SIGNER_STATE_DIR: stateDir, SIGNER_KEK_FILE: keyFile('kek', KEY_HEX) };
});
afterEach(() => {
  process.env = original;
  expect(readdirSync(work)).toEqual([]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the report on a sound folder lists what was checked, and ends with the verdict', async () => {
  const lines = await verify();
  const text = lines.join('\n');
  expect(lines.at(-1)).toBe('verified');
  expect(text).toMatch(/^Signer {8}\S+$/m);
  expect(lines).toContain(`Attests with  ${attestationKey}`);
  expect(text).toMatch(/^Entries {7}2: 2 Withdrawn$/m);
  expect(text).toMatch(/^Head {10}[0-9a-f]{64}, byte \d+ of segment 1$/m);
  expect(text).toMatch(/^Index {9}equal to the index that follows from the journal$/m);
  expect(text).toContain('SIGNER_OPERATOR_KEY is not set');
  expect((await verify({ org: 'or-b' })).join('\n')).toMatch(/^Entries {7}1 of or-b: 1 Withdrawn$/m);
});

test('with the operator’s key, the signatures of charters are reported as checked', async () => {
  const der = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' });
  process.env.SIGNER_OPERATOR_KEY = der.subarray(-32).toString('hex');
  expect((await verify()).join('\n')).toContain('checked with SIGNER_OPERATOR_KEY');
});

test('a former key in SIGNER_KEK_OLD_SOURCES opens the journal, and an unrelated key does not', async () => {
  const other = keyFile('other', '6b'.repeat(32));
  process.env.SIGNER_KEK_FILE = other;
  await expect(verify()).rejects.toThrow(/journal-key\.json does not open: .*not among those configured/);
  process.env.SIGNER_KEK_OLD_SOURCES = `file:${join(folder, 'kek')}`;
  expect((await verify()).at(-1)).toBe('verified');
});

test('if the key is missing or cannot be read, the command names the variable', async () => {
  delete process.env.SIGNER_KEK_FILE;
  await expect(verify()).rejects.toThrow('SIGNER_KEK_FILE: is not set');
  process.env.SIGNER_KEK_FILE = join(folder, 'none');
  await expect(verify()).rejects.toThrow(/SIGNER_KEK_FILE: .* cannot be read/);
});

test('a fault in any organisation makes the command fail with a report of its place', async () => {
  const path = join(stateDir, 'journal-000001.jsonl');
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace('"xfr-a"', '"xfr-c"'));
  try {
    await expect(verify({ org: 'or-b' })).rejects.toThrow(/NOT VERIFIED, 1 faults:\n {2}journal-000001\.jsonl, line 3: its hash/);
  } finally {
    writeFileSync(path, text);
  }
});
