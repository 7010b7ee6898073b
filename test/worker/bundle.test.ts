import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleWorkflows } from '../../worker/bundle';

const MODULES = join(__dirname, '..', '..', 'node_modules');

/** Creates a folder with this workflow outside the tree. The workflow can import our packages. */
function workflowsThat(code: string): { readonly path: string; readonly remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'workflows-'));
  symlinkSync(MODULES, join(folder, 'node_modules'));
  writeFileSync(join(folder, 'index.ts'), code);
  return { path: join(folder, 'index.ts'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

test('our workflows fit the sandbox and contain no driver and no schema library', async () => {
  const code = await bundleWorkflows();
  for (const package_ of ['zod', 'typeorm', 'pg', 'pino', 'viem']) expect(code).not.toContain(`node_modules/${package_}/`);
}, 180_000);

test('a workflow that parses with zod is over the budget', async () => {
  const planted = workflowsThat(
    "import { z } from 'zod';\nexport async function planted() {\n  return z.string().parse('x');\n}\n",
  );
  await expect(bundleWorkflows(planted.path)).rejects.toThrow(/KiB; the limit is 2000/);
  planted.remove();
}, 180_000);

test('a workflow that uses Node cannot be bundled', async () => {
  const planted = workflowsThat(
    "import { randomBytes } from 'node:crypto';\nexport async function planted() {\n  return randomBytes(1).length;\n}\n",
  );
  await expect(bundleWorkflows(planted.path)).rejects.toThrow(/crypto/);
  planted.remove();
}, 180_000);
