import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { HAS_NATIVE, NATIVE_FILE } from '../../support/native-arithmetic';
import { temporaryFolder } from '../fixtures';

const folder = temporaryFolder();
afterAll(folder.remove);

(HAS_NATIVE ? test : test.failing)('if signing fails at any call, no part of the key or the signature stays in memory', () => {
  const program = join(folder.path, 'wipes');
  // The program uses only headers and names of the library; wipes.c replaces the functions.
  const library = z.array(z.string()).parse(JSON.parse(readFileSync(join(dirname(NATIVE_FILE), 'library.json'), 'utf8')));
  const names = library.filter((word) => /^-(I|DSECP_PREFIX)/.test(word));
  const compiled = spawnSync('cc', ['-std=gnu11', '-O1', '-w', ...names, join(__dirname, 'wipes.c'), '-o', program], {
    encoding: 'utf8',
  });
  expect(compiled.stderr).toBe('');
  const { stdout } = spawnSync(program, { encoding: 'utf8' });
  expect(stdout).toMatch(/^\d\d failures, 0 faults\n$/);
});
