import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { composeOf, readCompose } from '../support/compose';
import { composeRules } from '../support/compose-rules';
import { dockerfileRules, stagesOf } from '../support/dockerfile';
import { inline, ROOT, run, SCRIPTS } from './script';

const FILES = ['Dockerfile', 'docker-compose.yml'] as const;
const manifestOf = (path: string) => JSON.stringify({ manifestOf: path });
const digestOf = (path: string) => `sha256:${createHash('sha256').update(manifestOf(path)).digest('hex')}`;
let folder: string;
let address: string;
/** The planted fault of the registry, and the paths to which it applies. */
let fault: { readonly path: RegExp; readonly answer: 'missing' | 'lie' } | undefined;

/** A registry that demands a token, as public registries do. */
const registry = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://registry');
  if (pathname === '/token') return void response.end(JSON.stringify({ token: `for ${searchParams.get('scope')}` }));
  const scope = `repository:${pathname.split('/').slice(2, 4).join('/')}:pull`;
  if (request.headers.authorization !== `Bearer for ${scope}`) {
    const challenge = `Bearer realm="${address}/token",service="registry",scope="${scope}"`;
    return void response.writeHead(401, { 'www-authenticate': challenge }).end();
  }
  const path = pathname.replace('/v2/', '');
  const wrong = fault?.path.test(path) ? fault.answer : undefined;
  if (wrong === 'missing') return void response.writeHead(404).end();
  const digest = wrong === 'lie' ? digestOf('another') : digestOf(path);
  response.writeHead(200, { 'docker-content-digest': digest }).end(manifestOf(path));
});

beforeAll(async () => {
  registry.listen(0, '127.0.0.1');
  await once(registry, 'listening');
  address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
});
afterAll(() => {
  registry.closeAllConnections();
  registry.close();
});
beforeEach(() => {
  fault = undefined;
  folder = mkdtempSync(join(tmpdir(), 'strongroom-images-'));
  for (const file of FILES) cpSync(join(ROOT, file), join(folder, file));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = () => FILES.map((file) => readFileSync(join(folder, file), 'utf8'));
const pin = (at = address) => {
  const source = `const { pinImages } = await import('${SCRIPTS}/images-pin.mjs'); await pinImages('${folder}');`;
  return run(inline(source), { IMAGE_REGISTRY: at });
};

test('each third-party image gets the digest that the registry serves, and a second run does not change anything', async () => {
  expect((await pin()).code).toBe(0);
  const [dockerfile = '', compose = ''] = read();
  expect(dockerfile).toContain(`FROM node:24.19.0-trixie@${digestOf('library/node/manifests/24.19.0-trixie')} AS build`);
  expect(compose).toContain(`image: temporalio/server:1.31.2@${digestOf('temporalio/server/manifests/1.31.2')}\n`);
  const images = [...`${dockerfile}\n${compose}`.matchAll(/^(?:FROM|\s*image:) (\S+:\S+)/gm)].map(([, image]) => image);
  expect(images.filter((image) => !/@sha256:[0-9a-f]{64}$/.test(image ?? '') && !image?.startsWith('strongroom/'))).toEqual([]);
  expect((await pin()).code).toBe(0);
  expect(read()).toEqual([dockerfile, compose]);
});

test('the pinned Dockerfile and the pinned compose file still follow their rules', async () => {
  await pin();
  const [dockerfile = '', compose = ''] = read();
  const stages = stagesOf(dockerfile);
  expect(dockerfileRules.flatMap(({ check }) => check(stages, () => true))).toEqual([]);
  const file = composeOf(readCompose(compose, { STRONGROOM_UID: '10001', STRONGROOM_GID: '10001' }));
  const around = { targets: new Set(stages.map(({ name }) => name)), exists: () => true, knownVariables: () => undefined };
  expect(composeRules.flatMap(({ check }) => check(file, around))).toEqual([]);
});

test.each<[string, () => Promise<{ code: number | null; output: string }>, RegExp]>([
  ['cannot be reached', () => pin('http://127.0.0.1:10'), /127\.0\.0\.1:10 does not answer \(ECONNREFUSED\)/],
  [
    'lacks one image',
    () => {
      fault = { path: /ui/, answer: 'missing' };
      return pin();
    },
    /temporalio\/ui:2\.50\.1: .* answers 404/,
  ],
  [
    'sends a manifest that differs from its digest',
    () => {
      fault = { path: /postgres/, answer: 'lie' };
      return pin();
    },
    /postgres:18\.4-trixie: the digest of the manifest from .* differs from its header/,
  ],
])('if the registry %s, the command does not change any file', async (_what, attempt, told) => {
  const before = read();
  const { code, output } = await attempt();
  expect(code).not.toBe(0);
  expect(output).toMatch(told);
  expect(read()).toEqual(before);
});
