import { inline, ROOT, run, SCRIPTS } from './script';

const MODULE = `${SCRIPTS}/red-team-controls.mjs`;
async function evaluated(expression: string): Promise<unknown> {
  const { code, output } = await run(
    inline(`import * as controls from '${MODULE}'; console.log(JSON.stringify(${expression}));`),
  );
  if (code !== 0) throw new Error(output);
  return JSON.parse(output);
}

type Entry = { readonly path: string; readonly condition: string; readonly reason: string };
const ENTRY = { path: 'a.ts', condition: 'b', reason: 'c' };

test('each entry of standing-twice.json identifies exactly one control, and gives the reason in one sentence', async () => {
  const [listed, all] = (await evaluated(`[
    controls.standingTwiceIn('${ROOT}'),
    controls.controlsOf('${ROOT}').map(({ path, what }) => path + ' ' + what),
  ]`)) as readonly [readonly Entry[], readonly string[]];
  expect(listed.length).toBeGreaterThan(0);
  for (const { path, condition, reason, ...more } of listed) {
    expect(all.filter((one) => one === `${path} ${condition}`)).toEqual([`${path} ${condition}`]);
    expect(reason).toMatch(/^[^\n]+\.$/);
    expect(more).toEqual({});
  }
});

test('a survivor is accepted only if standing-twice.json lists the control and the run succeeded', async () => {
  const outcomes = [
    { what: 'b', isCaught: true, isFailed: true },
    { what: 'b', isCaught: false, isFailed: false },
    { what: 'd', isCaught: false, isFailed: false },
    { what: 'b', isCaught: false, isFailed: true },
  ].map((outcome) => ({ path: ENTRY.path, ...outcome }));
  const verdicts = `${JSON.stringify(outcomes)}.map((one) => controls.verdictOn(one, ${JSON.stringify([ENTRY])}))`;
  expect(await evaluated(verdicts)).toEqual([
    { verdict: 'caught', isSurvivor: false },
    { verdict: 'stands twice: c', isSurvivor: false },
    { verdict: 'SURVIVED', isSurvivor: true },
    { verdict: 'FAILED OTHERWISE', isSurvivor: true },
  ]);
});

test('an entry is outdated if its control no longer exists, or if an attempt caught the removal of the control', async () => {
  const own = { path: ENTRY.path, what: ENTRY.condition };
  const ofOtherFile = { ...own, path: 'other.ts' };
  const runs = [
    { all: [own], caught: [] },
    { all: [own, ofOtherFile], caught: [ofOtherFile] },
    { all: [ofOtherFile], caught: [] },
    { all: [own], caught: [own] },
  ];
  const outdated = `${JSON.stringify(runs)}.map((one) => controls.outdatedIn(${JSON.stringify([ENTRY])}, one))`;
  expect(await evaluated(outdated)).toEqual([[], [], [ENTRY], [ENTRY]]);
});
