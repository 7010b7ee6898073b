import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { METRICS } from '../../domain/metrics';
import { composeOf, composeText, ROOT, readCompose } from '../support/compose';
import { createTestDatabase, type TestDatabase } from '../support/database';
import { asSuperuser } from '../support/roles';
import {
  anchorsOf,
  linkFaults,
  namedServices,
  type Pages,
  partFaults,
  searchedWords,
  sectionsOf,
  statementsOf,
} from '../support/runbooks';
import { readTree } from '../support/tidy/tree';

const FOLDER = 'docs/runbooks';
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const pages: Pages = Object.fromEntries(
  readdirSync(join(ROOT, FOLDER)).map((name) => [`${FOLDER}/${name}`, read(`${FOLDER}/${name}`)]),
);
const sections = sectionsOf(pages);
const { groups } = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(z.object({ alert: z.string(), annotations: z.object({ runbook_url: z.string().optional() }) })),
      }),
    ),
  })
  .parse(parse(read('deploy/prometheus/alerts.yml')));
const alerts = groups.flatMap(({ rules }) => rules);

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(1);
});
afterAll(() => database?.close());

test('every alert leads to its own section, and every section belongs to an alert', () => {
  expect(linkFaults(alerts, pages)).toEqual([]);
  expect(sections.length).toBeGreaterThan(25);
});

const page = (...titles: readonly string[]) => ({ 'docs/runbooks/a.md': titles.map((title) => `## ${title}\n`).join('') });
const alert = (name: string, url?: string) => ({ alert: name, annotations: { runbook_url: url } });
test.each([
  ['an alert without a page', [alert('Up')], page('Up'), 'Up → no runbook_url: no such section, or several'],
  [
    'a page that does not exist',
    [alert('Up', 'docs/runbooks/b.md#up')],
    page('Up'),
    'Up → docs/runbooks/b.md#up: no such section, or several',
  ],
  [
    'an anchor that does not exist',
    [alert('Up', 'docs/runbooks/a.md#down')],
    page('Up'),
    'Up → docs/runbooks/a.md#down: no such section, or several',
  ],
  [
    'a section twice',
    [alert('Up', 'docs/runbooks/a.md#up')],
    page('Up', 'Up'),
    'Up → docs/runbooks/a.md#up: no such section, or several',
  ],
  [
    'a section without an alert',
    [alert('Up', 'docs/runbooks/a.md#up')],
    page('Up', 'Old'),
    'docs/runbooks/a.md#old: no such alert',
  ],
])('the check reports %s', (_fault, some, texts, told) => {
  expect(linkFaults(some, texts)).toEqual([told]);
});

test('every section has one command and states the meaning, the risk, the steps, when to escalate and when the alert ends', () => {
  expect(sections.flatMap(partFaults)).toEqual([]);
  const without = (part: string) => ({ ...sections[0], text: (sections[0]?.text ?? '').replace(part, '') });
  const [first] = sections;
  if (!first) throw new Error('There is no section');
  expect(partFaults({ ...first, ...without('```sh') })).toEqual([expect.stringContaining('0 commands → one')]);
  expect(partFaults({ ...first, ...without('* **Escalate**') })).toEqual([expect.stringContaining('→ It means')]);
});

test('a link leads to a heading that exists', () => {
  const links = Object.entries(pages).flatMap(([path, text]) =>
    [...text.matchAll(/\]\(([^)#\s]*)#([^)]+)\)/g)].map(([, file = '', anchor = '']) => ({ path, file, anchor })),
  );
  const broken = links.filter(({ path, file, anchor }) => {
    const target = file === '' ? path : new URL(file, `file:///${path}`).pathname.slice(1);
    return !anchorsOf(read(target)).includes(anchor);
  });
  expect(links.length).toBeGreaterThan(20);
  expect(broken).toEqual([]);
});

test('the metrics, panels and services on a page exist', () => {
  const text = Object.values(pages).join('\n');
  const metrics = [...new Set(text.match(/\bstrongroom_(?!relay\b|app\b|worker\b|owner\b)[a-z_]+/g))];
  expect(metrics.filter((name) => !(name in METRICS))).toEqual([]);
  const dashboard = z
    .object({ panels: z.array(z.object({ title: z.string() })) })
    .parse(JSON.parse(read('deploy/grafana/strongroom.json')));
  const panels = [...text.matchAll(/panel \*([^*]+)\*/g)].map(([, title]) => title);
  expect(panels.filter((title) => !dashboard.panels.some((one) => one.title === title))).toEqual([]);
  const { services } = composeOf(readCompose(composeText, { STRONGROOM_UID: '1', STRONGROOM_GID: '1' }));
  const named = [...new Set(namedServices(text))];
  expect(named).toEqual(expect.arrayContaining(['api', 'worker', 'signer', 'postgres', 'temporal', 'operator']));
  expect(named.filter((name) => !(name in services))).toEqual([]);
});

test('a text for which a page searches a log is a text that a program writes', () => {
  const sources = [...readTree()].filter(([path]) => /^(?!test\/|docs\/).*\.ts$/.test(path)).map(([, text]) => text);
  const words = searchedWords(Object.values(pages).join('\n'));
  const split = (word: string) =>
    word.startsWith('The signer requires a fresh order: ') ? 'The signer requires a fresh order: ' : word;
  expect(words.length).toBeGreaterThan(10);
  expect(words.filter((word) => !sources.some((text) => text.includes(split(word))))).toEqual([]);
});

const statements = sections.flatMap(({ title, text }) => statementsOf(text).map((sql) => [title, sql] as const));
test.each(statements)('the SQL statement in %s runs on the current schema', async (_title, sql) => {
  const one = sql.replace(/;$/, '');
  await expect(asSuperuser((client) => client.query(`${one}`), database.name)).resolves.toBeDefined();
});
