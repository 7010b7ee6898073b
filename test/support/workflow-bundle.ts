import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The bundle of the workflows that a deployed worker loads, as the build made it. */
export const WORKFLOW_BUNDLE = { codePath: join(__dirname, '..', '..', 'dist', 'workflow-bundle.js') };

/** The bundle of the workflows as they ran before this patch. */
export function bundleBefore(patch: string): { readonly code: string } {
  const code = readFileSync(WORKFLOW_BUNDLE.codePath, 'utf8');
  const before = code.replace(new RegExp(`\\(0, \\w+\\.patched\\)\\(\\\\?['"]${patch}\\\\?['"]\\)`), 'false');
  if (before === code) throw new Error(`The bundle nowhere asks for the patch ${patch}`);
  return { code: before };
}
