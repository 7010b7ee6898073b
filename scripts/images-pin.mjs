// npm run images:pin: adds the digest of each third-party image to the image's tag in Dockerfile and docker-compose.yml. If a
// single digest cannot be fetched, the script writes nothing.
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Refusal } from './prepare/run.mjs';
import { helpIfAsked } from './usage.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const FILES = ['Dockerfile', 'docker-compose.yml'];
/** The registry of an image without a host in its name; a mirror can replace this registry. */
const REGISTRY = process.env.IMAGE_REGISTRY || 'https://registry-1.docker.io';
const ANSWER_WITHIN_MS = 20_000;
const KINDS = ['vnd.oci.image.index.v1', 'vnd.docker.distribution.manifest.list.v2', 'vnd.oci.image.manifest.v1'];
const ACCEPT = [...KINDS, 'vnd.docker.distribution.manifest.v2'].map((kind) => `application/${kind}+json`).join(', ');
/**
 * The project's own images have a variable instead of a tag, and a build stage has no tag. So this expression matches neither.
 */
const IMAGE = /^(\s*image: |FROM )([a-z0-9][a-z0-9./-]*:[\w.-]+)(@sha256:[0-9a-f]{64})?(?=\s|$)/gm;

async function pinned(text, digestOf) {
  const digests = new Map();
  for (const [, , image] of text.matchAll(IMAGE)) digests.set(image, await digestOf(image));
  return text.replaceAll(IMAGE, (_line, before, image) => `${before}${image}@${digests.get(image)}`);
}

async function ask(url, headers) {
  try {
    return await fetch(url, { headers, signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
  } catch (error) {
    throw new Refusal(`${new URL(url).host} does not answer (${error.cause?.code ?? error.name})`);
  }
}

/** The hash of the manifest for this tag. Refuses if the header `docker-content-digest` contains a different hash. */
async function digestOf(image) {
  const [name, tag] = image.split(':');
  const url = `${REGISTRY}/v2/${name.includes('/') ? name : `library/${name}`}/manifests/${tag}`;
  let response = await ask(url, { accept: ACCEPT });
  if (response.status === 401) {
    const token = await tokenFor(response.headers.get('www-authenticate') ?? '', image);
    response = await ask(url, { accept: ACCEPT, authorization: `Bearer ${token}` });
  }
  if (!response.ok) throw new Refusal(`${image}: ${new URL(url).host} answers ${response.status}`);
  const digest = `sha256:${createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex')}`;
  if (response.headers.get('docker-content-digest') !== digest)
    throw new Refusal(`${image}: the digest of the manifest from ${new URL(url).host} differs from its header`);
  return digest;
}

/** Fetches a token for reading, which needs no account. */
async function tokenFor(challenge, image) {
  const { realm, ...question } = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  );
  if (!realm) throw new Refusal(`${image}: the registry requires a sign-in`);
  const response = await ask(`${realm}?${new URLSearchParams(question)}`, {});
  if (!response.ok) throw new Refusal(`${image}: the registry issues no token (${response.status})`);
  const { token, access_token: other } = await response.json();
  return token ?? other;
}

export async function pinImages(root) {
  const known = new Map();
  const once = async (image) => {
    if (!known.has(image)) known.set(image, await digestOf(image));
    return known.get(image);
  };
  const written = [];
  for (const file of FILES) written.push([join(root, file), await pinned(readFileSync(join(root, file), 'utf8'), once)]);
  for (const [path, text] of written) {
    writeFileSync(`${path}.partial`, text);
    renameSync(`${path}.partial`, path);
  }
  return known;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  helpIfAsked(
    'Usage: npm run images:pin\n  Adds the digest to the tag of each image in Dockerfile and docker-compose.yml. IMAGE_REGISTRY names a mirror.',
  );
  try {
    for (const [image, digest] of await pinImages(ROOT)) process.stdout.write(`${image}@${digest}\n`);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    process.stderr.write(`${error.message}.\nNothing was changed. Set IMAGE_REGISTRY to a mirror that can be reached.\n`);
    process.exitCode = 1;
  }
}
