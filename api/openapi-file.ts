import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { releaseFolder, releaseVersion } from '../platform/release';
import { errorsDocument } from './error-pages';
import type { Example } from './http/examples';
import { openapiOf } from './http/openapi';
import { interfaceTable } from './interface-table';
import { operations } from './operations';
import { SNAPSHOTS } from './snapshots';

/** With `--check`, the command writes nothing and fails if one of the generated files is out of date. */
function main(): void {
  const version = releaseVersion();
  const folder = releaseFolder();
  const examples = {
    operations: recordsIn<Example>(join(folder, 'openapi', 'examples')),
    deliveries: recordsIn<unknown>(join(folder, 'openapi', 'deliveries')),
  };
  const document = `${JSON.stringify(openapiOf(operations, SNAPSHOTS, version, examples), undefined, 2)}\n`;
  const files = [
    { file: join(folder, 'openapi.json'), text: document },
    { file: join(folder, 'openapi', `${version}.json`), text: document },
    { file: join(folder, 'docs', 'interface.md'), text: interfaceTable(operations, folder) },
    { file: join(folder, 'docs', 'errors.md'), text: errorsDocument() },
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
  process.stderr.write(`The documents have drifted from their sources: ${names}. Run "npm run fix".\n`);
  process.exitCode = 1;
}

function recordsIn<T>(folder: string): Readonly<Record<string, T>> {
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;
  return Object.fromEntries(readdirSync(folder).map((name) => [name.replace(/\.json$/, ''), read(name)]));
}

main();
