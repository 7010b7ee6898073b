// Bundles each program that people copy to machines of their own, with all that it loads, into one file.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { Refusal } from './prepare/run.mjs';

/** The folder of each program, and the name of its file. */
export const PROGRAMS = { verify: 'strongroom-verify.mjs', 'offline-signer': 'strongroom-offline-signer.mjs' };

/** The files for `require` of these packages choose their loader at run time, which no bundle can contain. */
const AS_MODULES = ['@hpke/common', '@hpke/core', '@hpke/dhkem-x25519'];
const moduleOf = (out, name) => join(out, '..', 'node_modules', name, 'esm', 'mod.js');

/** A bundle that people compare by its digest must not depend on the place of the clone. */
const configuration = (out, folder) => ({
  context: join(out, '..'),
  entry: join(out, folder, 'main.js'),
  target: 'node20',
  mode: 'production',
  devtool: false,
  experiments: { outputModule: true },
  output: { path: out, filename: PROGRAMS[folder], module: true, chunkFormat: 'module' },
  resolve: { alias: Object.fromEntries(AS_MODULES.map((name) => [`${name}$`, moduleOf(out, name)])) },
  optimization: { minimize: false },
});

const hashOf = (root, files) => {
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
};
const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

/**
 * `known` contains the files of the last bundle with their digest. Returns the files and digest of this bundle, and a summary.
 */
export async function bundleProgram(root, out, folder, known) {
  const name = PROGRAMS[folder];
  const file = join(out, name);
  const inputs = known?.files.every((one) => existsSync(join(root, one))) ? hashOf(root, known.files) : undefined;
  if (known && inputs === known.inputs && existsSync(file)) return { ...known, summary: `${name} kept` };
  // Loaded only here, because most builds keep the file.
  const { default: webpack } = await import('webpack');
  const stats = await promisify(webpack)(configuration(out, folder));
  if (stats.hasErrors() || stats.hasWarnings())
    throw new Refusal(`${name} could not be made:\n${stats.toString({ all: false, errors: true, warnings: true })}`);
  const files = [...stats.compilation.fileDependencies]
    .filter((one) => /\.(c?js|json)$/.test(one))
    .map((one) => relative(root, one));
  files.sort();
  const digest = sha256(file);
  writeFileSync(`${file}.sha256`, `${digest}  ${name}\n`);
  return { files, inputs: hashOf(root, files), summary: `${name} written, SHA-256 ${digest}` };
}
