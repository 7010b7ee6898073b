import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { ROOT } from '../support/compose';
import { dockerfileRules, dockerfileText, imagesOf, stagesOf } from '../support/dockerfile';

const exists = (path: string) => existsSync(join(ROOT, path));
const lint = (text: string) => validate(text).map(({ message, range }) => `line ${range.start.line + 1}: ${message}`);
const allFaults = (text: string) => dockerfileRules.flatMap(({ check }) => check(stagesOf(text), exists));

test('the linter does not find a fault in the Dockerfile', () => {
  expect(lint(dockerfileText)).toEqual([]);
});

test.each([
  ['an instruction that does not exist', 'WORKDIR /app', 'WORKDIRS /app'],
  ['a flag that does not exist', 'COPY --from=build /images/api', 'COPY --form=build /images/api'],
  ['a base image without a tag name', 'FROM base AS worker', 'FROM base: AS worker'],
])('the linter reports %s', (_title, what, by) => {
  const planted = dockerfileText.replace(what, by);
  expect(planted).not.toBe(dockerfileText);
  expect(lint(planted)).not.toEqual([]);
});

for (const { title, check } of dockerfileRules) {
  test(title, () => {
    expect(check(stagesOf(dockerfileText), exists)).toEqual([]);
  });
}

test.each<[string, string | RegExp, string, RegExp]>([
  ['a base image without a fixed version', /FROM node:\S+ AS build/, 'FROM node:24-slim AS build', /^build: FROM node:24-slim/],
  ['an image that runs as root', /USER 10001:10001(?=\nEXPOSE 3000)/, 'USER root', /^api: has no USER/],
  ['a shell', 'CMD ["dist/api/main.js"]', 'CMD node dist/api/main.js', /^api: CMD node dist/],
  ['an image without a command', 'CMD ["dist/api/main.js"]\n', '', /^api: has no CMD/],
  ['an image without a health check', /HEALTHCHECK NONE\n/, '', /^migrate: has no HEALTHCHECK/],
  ['the whole tree', 'COPY signer signer', 'COPY . .', /^build: copies \., which/],
  ['a folder that does not exist', 'COPY signer signer', 'COPY vault vault', /^build: copies vault, which/],
  ['a download', 'COPY signer signer', 'ADD signer signer', /^build: ADD signer/],
  ['a stage that does not exist', '--from=build /images/api', '--from=builder /images/api', /^api: copies from builder/],
  ['a secret in the image', 'ENV NODE_ENV=production', 'ENV DATA_KEK=00', /^base: ENV DATA_KEK/],
])('%s is reported', (_title, what, by, report) => {
  const planted = dockerfileText.replace(what, by);
  expect(planted).not.toBe(dockerfileText);
  expect(allFaults(planted)).toContainEqual(expect.stringMatching(report));
});

test('the build sees only the paths that .dockerignore admits, and these are exactly the copied paths', () => {
  const [first, ...lines] = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(first).toBe('*');
  const admitted = new Set(lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1)));
  const copied = stagesOf(dockerfileText)
    .flatMap(({ instructions }) => instructions)
    .filter(({ keyword, argument }) => keyword === 'COPY' && !argument.startsWith('--from='))
    .flatMap(({ argument }) => argument.split(/\s+/).slice(0, -1));
  expect(copied.filter((path) => !admitted.has(path))).toEqual([]);
  expect([...admitted].filter((path) => !copied.includes(path))).toEqual([]);
});

test('every process has an image', () => {
  expect(imagesOf(stagesOf(dockerfileText)).map(({ name }) => name)).toEqual(['signer', 'worker', 'api', 'migrate', 'trial']);
});
