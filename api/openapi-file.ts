import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseFolder, releaseVersion } from '../platform/release';
import { openapiOf } from './http/openapi';
import { interfaceTable } from './interface-table';
import { operations } from './operations';
import { SNAPSHOTS } from './snapshots';

/**
 * Writes the document to `openapi.json` and `openapi/<version>.json` and the access table to `docs/interface.md`; with `--check` it
 * reports whether they are up to date.
 */
function main(): void {
  const version = releaseVersion();
  const folder = releaseFolder();
  const document = `${JSON.stringify(openapiOf(operations, SNAPSHOTS, version), undefined, 2)}\n`;
  const files = [
    { file: join(folder, 'openapi.json'), text: document },
    { file: join(folder, 'openapi', `${version}.json`), text: document },
    { file: join(folder, 'docs', 'interface.md'), text: interfaceTable(operations, folder) },
  ];
  const stale = files.filter(({ file, text }) => !existsSync(file) || readFileSync(file, 'utf8') !== text);
  if (!process.argv.includes('--check')) {
    mkdirSync(join(folder, 'openapi'), { recursive: true });
    for (const { file, text } of stale) writeFileSync(file, text);
    process.stdout.write(`OpenAPI: ${stale.length === 0 ? 'up to date' : `${stale.length} files written`}\n`);
    return;
  }
  if (stale.length === 0) return;
  const names = stale.map(({ file }) => file).join(', ');
  process.stderr.write(`The documents have drifted from the operations: ${names}. Run "npm run fix".\n`);
  process.exitCode = 1;
}

main();
