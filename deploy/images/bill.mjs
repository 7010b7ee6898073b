// The third-party content of an image, as a software bill of materials in the form of CycloneDX 1.5.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/**
 * Returns the bill of materials of an image. `folders` are package folders in `root`; `compiled` are our native files and the
 * libraries with which they are linked.
 */
export function billOf({ root, image, folders, compiled }) {
  const { name, version } = readJson(join(root, 'package.json'));
  const { packages } = readJson(join(root, 'package-lock.json'));
  const components = [
    ...[...folders].map((folder) =>
      packageOf(readJson(join(folder, 'package.json')), packages[relative(root, folder).replaceAll(sep, '/')]),
    ),
    ...compiled.map((file) => ({ type: 'file', name: relative(root, file), hashes: [hashOf('SHA-256', sha256(file))] })),
    { type: 'platform', name: 'node', version: process.versions.node, purl: `pkg:generic/node@${process.versions.node}` },
  ];
  // The bill has no time and no serial number, so that the same image always has the same bill.
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'container', name: `${name}/${image}`, version } },
    components: components.sort((one, other) => (`${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1)),
  };
}

function packageOf({ name, version, license }, locked) {
  const [, algorithm, digest] = /^sha(\d+)-(\S+)$/.exec(locked?.integrity ?? '') ?? [];
  return {
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(typeof license === 'string' ? { licenses: [{ expression: license }] } : {}),
    ...(digest ? { hashes: [hashOf(`SHA-${algorithm}`, Buffer.from(digest, 'base64').toString('hex'))] } : {}),
  };
}

const hashOf = (alg, content) => ({ alg, content });
const sha256 = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');
