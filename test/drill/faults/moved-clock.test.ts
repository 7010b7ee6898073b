import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../../support/wait-until';

const HOUR_MS = 3_600_000;
const RealDate = Date;
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strongroom-clock-'));
  file = join(folder, 'clock');
});
afterEach(() => {
  globalThis.Date = RealDate;
  delete process.env['DRILL_CLOCK_FILE'];
  rmSync(folder, { recursive: true, force: true });
});

const load = () => jest.isolateModules(() => require('../../../drill/faults/moved-clock'));
/** The number of whole minutes by which this process is ahead of the real time. */
const aheadMinutes = () => Math.round((Date.now() - RealDate.now()) / 60_000);

test('the clock of a process follows its clock file: ahead, behind, and back to the real time', async () => {
  writeFileSync(file, '0');
  process.env['DRILL_CLOCK_FILE'] = file;
  load();
  expect(aheadMinutes()).toBe(0);
  for (const hours of [1, -1, 0]) {
    writeFileSync(file, String(hours * HOUR_MS));
    await waitUntil('the file is read', () => aheadMinutes() === hours * 60);
    expect(Math.abs(Date.parse(new Date().toISOString()) - Date.now())).toBeLessThan(60_000);
  }
  expect(new Date(5).toISOString()).toBe('1970-01-01T00:00:00.005Z');
  expect(new Date()).toBeInstanceOf(RealDate);
});

test('a process without a clock file keeps its clock', () => {
  load();
  expect(Date).toBe(RealDate);
});
