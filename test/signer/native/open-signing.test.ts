import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAddon, openSigning } from '../../../signer/native/open-signing';
import { kekOf, temporaryFolder } from '../fixtures';
import { compileSigner, installSigner } from '../process';

const folder = temporaryFolder();
const nativeFile = join(folder.path, 'arithmetic.node');
const kek = kekOf(4);
let program: ReturnType<typeof compileSigner>;
let signer: ReturnType<typeof installSigner>;

beforeAll(() => {
  program = compileSigner();
  signer = installSigner(program.main);
});
afterAll(() => {
  signer.remove();
  program.remove();
  folder.remove();
});

test('the portable arithmetic is available on every machine', () => {
  expect(openSigning(openAddon({ arithmetic: 'portable', nativeFile }), kek).arithmetic).toBe('portable');
});

test.each<[string, string, string | undefined]>([
  ['is missing', 'arithmetic.node', undefined],
  ['is not a library', 'arithmetic.node', 'no library'],
  ['exports something else', 'arithmetic.cjs', 'module.exports = { sign: 1 };'],
])('a native arithmetic that %s is never replaced by the portable one', (_what, name, content) => {
  const path = join(folder.path, name);
  if (content !== undefined) writeFileSync(path, content);
  expect(() => openAddon({ arithmetic: 'native', nativeFile: path })).toThrow(/cannot be loaded/);
  rmSync(path, { force: true });
});

test('a native arithmetic whose results differ from those of the portable one is not used', () => {
  const path = join(folder.path, 'wrong.cjs');
  const others = ['rootIdOf', 'putRoot', 'wrap', 'unwrap', 'denyNewCode', 'denyCalls'].map((name) => `${name}: () => 0`).join();
  writeFileSync(
    path,
    `module.exports = { putKey: () => 0, dropKey: () => undefined, sign: () => Buffer.alloc(65, 1), ${others} };`,
  );
  expect(() => openAddon({ arithmetic: 'native', nativeFile: path })).toThrow(/signs ECDSA on secp256k1 differently/);
});

test('a signer without a setting requires the native arithmetic, and does not start without it', async () => {
  const run = signer.run({ SIGNER_ARITHMETIC: '', SIGNER_NATIVE_FILE: nativeFile });
  expect(await run.exited).toBe(1);
  expect(run.output()).toMatch(
    /^The signer does not start: the native arithmetic cannot be loaded from .*SIGNER_ARITHMETIC=portable/,
  );
});
