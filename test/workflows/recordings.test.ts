import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PLAYED_INSTEAD, RECORDED, type Recorded } from '../support/recorded-cases';
import { HISTORIES } from '../support/recording';

const ROOT = join(__dirname, '..', '..');
const read = (file: string) => readFileSync(join(ROOT, 'workflows', `${file}.ts`), 'utf8');

/** The files with waits that several workflows share. A file may use another of these files. */
const SHARED_WAITS = [
  'judge-until-cleared',
  'decided-by-approval',
  'ask-vendors',
  'answered-by-screening',
  'child-end',
  'travel-rule',
  'wait-for-release',
  'wait-for-approval',
  'wait-for-device',
  'wait-for-operator',
];
const sourceOf = (workflow: string) =>
  SHARED_WAITS.reduce(
    (sources, file) => (sources.includes(`from './${file}'`) ? `${sources}\n${read(file)}` : sources),
    read(workflow),
  );

type Payload = { readonly data?: string };
type Event = {
  readonly eventType: string;
  readonly workflowExecutionCompletedEventAttributes?: { readonly result?: { readonly payloads?: readonly Payload[] } };
};
const eventsOf = (workflow: string, title: string) => {
  const text = readFileSync(join(HISTORIES, workflow, `${title}.json`), 'utf8');
  return (JSON.parse(text) as { readonly events: readonly Event[] }).events;
};

/** The end of a recording: `completed` with its result if the result is a word, otherwise the name of the last event. */
function endOf(workflow: string, title: string): string {
  const last = eventsOf(workflow, title).at(-1);
  const end = (last?.eventType ?? '').replace('EVENT_TYPE_WORKFLOW_EXECUTION_', '').toLowerCase();
  const data = last?.workflowExecutionCompletedEventAttributes?.result?.payloads?.[0]?.data;
  const result = data === undefined ? '' : Buffer.from(data, 'base64').toString('utf8');
  return result.startsWith('"') ? `${end} ${result}` : end;
}

const NOTHING: Recorded = { waits: {}, ends: {} };
const recordedOf = (workflow: string): Recorded => RECORDED[workflow] ?? NOTHING;

const workflows = [...readFileSync(join(ROOT, 'workflows', 'index.ts'), 'utf8').matchAll(/from '\.\/([a-z-]+)'/g)].map(
  ([, file = '']) => file,
);

test('the waits and ends of every workflow are listed', () => {
  expect(Object.keys(RECORDED).sort()).toEqual([...workflows].sort());
});

test.each(workflows)(
  'every wait of %s is listed by the text of its call, and has recordings that contain the wait',
  (workflow) => {
    const { waits } = recordedOf(workflow);
    const source = sourceOf(workflow);
    const calls = source.match(/\b(condition|sleep)\(/g) ?? [];
    expect(Object.keys(waits).filter((words) => !source.includes(words))).toEqual([]);
    expect(calls).toHaveLength(Object.keys(waits).length);
    for (const [words, titles] of Object.entries(waits)) {
      for (const title of titles) {
        const waited = eventsOf(workflow, title).some(({ eventType }) => /TIMER_STARTED|SIGNALED/.test(eventType));
        expect([words, title, waited]).toEqual([words, title, true]);
      }
    }
  },
);

test.each(workflows)('every end of %s has recordings with this end', (workflow) => {
  const { ends } = recordedOf(workflow);
  for (const [end, titles] of Object.entries(ends)) {
    expect(titles.length).toBeGreaterThan(0);
    for (const title of titles) expect([title, endOf(workflow, title)]).toEqual([title, end]);
  }
});

test.each(workflows)('a run of %s that is continued in a new one is recorded or played by a test', (workflow) => {
  const continues = /\bcontinueAsNew</.test(sourceOf(workflow));
  const played = PLAYED_INSTEAD[workflow];
  expect(played !== undefined).toBe(continues);
  if (played) expect(existsSync(join(ROOT, played.test))).toBe(true);
});

test.each(workflows)('the list names exactly the recordings of %s', (workflow) => {
  const { waits, ends } = recordedOf(workflow);
  const listed = new Set([...Object.values(waits), ...Object.values(ends)].flat());
  const files = readdirSync(join(HISTORIES, workflow)).map((file) => file.replace(/\.json$/, ''));
  expect(files.sort()).toEqual([...listed].sort());
});
