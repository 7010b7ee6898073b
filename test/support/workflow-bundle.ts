import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The workflows as the build bundled them, with what runs around each: what a worker loads when it is deployed. */
export const WORKFLOW_BUNDLE = { codePath: join(__dirname, '..', '..', 'dist', 'workflow-bundle.js') };

/** The workflows as they were before this patch. */
export function bundleBefore(patch: string): { readonly code: string } {
  const code = readFileSync(WORKFLOW_BUNDLE.codePath, 'utf8');
  const before = code.replace(new RegExp(`\\(0, \\w+\\.patched\\)\\(\\\\?['"]${patch}\\\\?['"]\\)`), 'false');
  if (before === code) throw new Error(`The bundle asks nowhere for ${patch}`);
  return { code: before };
}
