import { hardeningFaults } from '../../signer/hardening';
import { HAS_NATIVE } from '../support/native-arithmetic';
import { compileSigner, FLAGS, installSigner } from './process';

const GOOD = {
  limits:
    'Limit                     Soft Limit           Hard Limit           Units\nMax core file size        0                    0                    bytes\n',
  status: 'Name:\tnode\nSeccomp:\t2\n',
  hasProto: false,
  hasCompiler: false,
  execArgv: ['--disallow-code-generation-from-strings'],
};

test('a process that started with every protection has no faults', () => {
  expect(hardeningFaults(true, GOOD)).toEqual([]);
  expect(hardeningFaults(true, { ...GOOD, limits: '', status: '' })).toEqual([]);
});

test.each<[string, Partial<typeof GOOD>, RegExp]>([
  ['a core of any size', { limits: 'Max core file size        unlimited            unlimited            bytes' }, /ulimit -c 0/],
  ['__proto__', { hasProto: true }, /disable-proto/],
  ['code from strings', { execArgv: [] }, /disallow-code-generation/],
  ['machine code at run time', { hasCompiler: true }, /--jitless/],
  ['every system call', { status: 'Seccomp:\t0\n' }, /system call/],
  ['a debugger', { execArgv: [...GOOD.execArgv, '--inspect=0'] }, /--inspect/],
])('%s is reported', (_what, change, fault) => {
  expect(hardeningFaults(true, { ...GOOD, ...change })).toEqual([expect.stringMatching(fault)]);
});

test('memory that can become executable is reported even if every flag is set', () => {
  expect(hardeningFaults(false, GOOD)).toEqual([expect.stringMatching(/become executable/)]);
});

describe('in its process', () => {
  const compiled = compileSigner();
  const signer = installSigner(compiled.main);
  afterAll(() => {
    signer.remove();
    compiled.remove();
  });

  test('at its start the signer reports exactly the protections that are missing', async () => {
    const plain = await signer.start(undefined, {}, []);
    for (const flag of ['--disable-proto=delete', '--jitless']) expect(plain.output()).toContain(flag);
    plain.child.kill('SIGTERM');
    await plain.exited;
    const { child, exited, output } = await signer.start(undefined, {}, FLAGS);
    if (HAS_NATIVE) expect(output()).not.toContain('a protection is missing');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });
});
