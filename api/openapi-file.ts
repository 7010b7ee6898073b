import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseFolder, releaseVersion } from '../platform/release';
import { openapiOf } from './http/openapi';
import { operations } from './operations';

/** Writes the document to `openapi.json` and `openapi/<version>.json`; with `--check` answers whether they are up to date. */
function main(): void {
  const version = releaseVersion();
  const folder = releaseFolder();
  const files = [join(folder, 'openapi.json'), join(folder, 'openapi', `${version}.json`)];
  const text = `${JSON.stringify(openapiOf(operations, version), undefined, 2)}\n`;
  const stale = files.filter((file) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
  if (!process.argv.includes('--check')) {
    mkdirSync(join(folder, 'openapi'), { recursive: true });
    for (const file of stale) writeFileSync(file, text);
    process.stdout.write(`OpenAPI: ${stale.length === 0 ? 'up to date' : `${stale.length} files written`}\n`);
    return;
  }
  if (stale.length === 0) return;
  process.stderr.write(`OpenAPI has drifted from the operations: ${stale.join(', ')}. Run "npm run fix".\n`);
  process.exitCode = 1;
}

main();
