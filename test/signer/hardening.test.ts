import { hardeningFaults } from '../../signer/hardening';
import { compileSigner, installSigner } from './process';

const GOOD = {
  limits:
    'Limit                     Soft Limit           Hard Limit           Units\nMax core file size        0                    0                    bytes\n',
  hasProto: false,
  execArgv: ['--enable-source-maps', '--disallow-code-generation-from-strings'],
};

test('a start with everything has no faults', () => {
  expect(hardeningFaults(GOOD)).toEqual([]);
  expect(hardeningFaults({ ...GOOD, limits: '' })).toEqual([]);
});

test.each<[string, Partial<typeof GOOD>, RegExp]>([
  ['a core of any size', { limits: 'Max core file size        unlimited            unlimited            bytes' }, /ulimit -c 0/],
  ['__proto__', { hasProto: true }, /disable-proto/],
  ['code from strings', { execArgv: [] }, /disallow-code-generation/],
  ['a debugger', { execArgv: [...GOOD.execArgv, '--inspect=0'] }, /--inspect/],
])('%s is told', (_what, change, fault) => {
  expect(hardeningFaults({ ...GOOD, ...change })).toEqual([expect.stringMatching(fault)]);
});

describe('in its process', () => {
  const compiled = compileSigner();
  const signer = installSigner(compiled.main);
  afterAll(() => {
    signer.remove();
    compiled.remove();
  });

  test('what is missing is told at start, and what is there is not', async () => {
    const plain = await signer.start();
    expect(plain.output()).toContain('--disable-proto=delete');
    plain.child.kill('SIGTERM');
    await plain.exited;
    const { child, exited, output } = await signer.start(undefined, {}, [
      '--disable-proto=delete',
      '--disallow-code-generation-from-strings',
    ]);
    expect(output()).not.toContain('less protected');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });
});
