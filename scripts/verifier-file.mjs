// Bundles dist/verify/main.js, with all that it loads, into one file, which approvers copy to machines of their own.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { Refusal } from './prepare/run.mjs';

export const VERIFIER = 'strongroom-verify.mjs';

/** A bundle that people compare by its digest must not depend on the place of the clone. */
const configuration = (out) => ({
  context: join(out, '..'),
  entry: join(out, 'verify', 'main.js'),
  target: 'node20',
  mode: 'production',
  devtool: false,
  experiments: { outputModule: true },
  output: { path: out, filename: VERIFIER, module: true, chunkFormat: 'module' },
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
export async function bundleVerifier(root, out, known) {
  const file = join(out, VERIFIER);
  const inputs = known?.files.every((one) => existsSync(join(root, one))) ? hashOf(root, known.files) : undefined;
  if (known && inputs === known.inputs && existsSync(file)) return { ...known, summary: `${VERIFIER} kept` };
  // Loaded only here, because most builds keep the file.
  const { default: webpack } = await import('webpack');
  const stats = await promisify(webpack)(configuration(out));
  if (stats.hasErrors() || stats.hasWarnings())
    throw new Refusal(`${VERIFIER} could not be made:\n${stats.toString({ all: false, errors: true, warnings: true })}`);
  const files = [...stats.compilation.fileDependencies]
    .filter((one) => /\.(c?js|json)$/.test(one))
    .map((one) => relative(root, one));
  files.sort();
  const digest = sha256(file);
  writeFileSync(`${file}.sha256`, `${digest}  ${VERIFIER}\n`);
  return { files, inputs: hashOf(root, files), summary: `${VERIFIER} written, SHA-256 ${digest}` };
}
