import {
  coolingFloor,
  EXPORT_FROM,
  FLOORS,
  type FlooredSetting,
  hoursNow,
  mayExport,
  SETTINGS,
  settingsOf,
} from '../../domain/settings';

const NOW = new Date('2026-11-21T12:00:00Z');
const hoursLater = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

test('a setting that was never set has its default', () => {
  expect(settingsOf({})).toEqual({
    keyImport: false,
    keyExport: false,
    keyExportWaitHours: 24,
    grantBeyondOwnRights: false,
    externalIdRequired: false,
    equalPaymentHoldMinutes: 0,
    sessionMinutes: 720,
    recoveryWaitHours: 24,
    voterCoolingHours: 24,
    approvalMails: true,
    registryCoolingHours: 0,
    serviceAccountsMayVote: false,
    refuseUnreachable: false,
  });
});

test.each<[string, unknown, number]>([
  ['the minimum, which is valid', SETTINGS.sessionMinutes.min, SETTINGS.sessionMinutes.min],
  ['the maximum, which is valid', SETTINGS.sessionMinutes.max, SETTINGS.sessionMinutes.max],
  ['one less than the minimum', SETTINGS.sessionMinutes.min - 1, 720],
  ['one more than the maximum', SETTINGS.sessionMinutes.max + 1, 720],
  ['a fraction', 60.5, 720],
  ['text', '60', 720],
  ['nothing', null, 720],
])('an invalid stored session length, and no other, is replaced by the default: %s', (_title, stored, expected) => {
  expect(settingsOf({ sessionMinutes: stored }).sessionMinutes).toBe(expected);
});

test('a stored switch that is not a boolean has its default', () => {
  expect(settingsOf({ serviceAccountsMayVote: 'true', keyExport: 1 })).toMatchObject({
    serviceAccountsMayVote: false,
    keyExport: false,
  });
});

test.each(Object.keys(FLOORS) as FlooredSetting[])(
  'a shortened %s keeps its old length until the old period has passed, and an extension applies at once',
  (name) => {
    expect(coolingFloor(24, 24, NOW)).toBeUndefined();
    expect(coolingFloor(24, 48, NOW)).toBeUndefined();
    const stored = { [name]: 0, [FLOORS[name]]: coolingFloor(24, 0, NOW) };
    expect(hoursNow(stored, name, hoursLater(23.99))).toBe(24);
    expect(hoursNow(stored, name, hoursLater(24))).toBe(0);
    expect(hoursNow({ ...stored, [name]: 72 }, name, NOW)).toBe(72);
    const [other] = (Object.keys(FLOORS) as FlooredSetting[]).filter((one) => one !== name);
    if (other) expect(hoursNow({ [other]: 0, ...stored }, other, NOW)).toBe(0);
  },
);

test.each<[string, Record<string, unknown>, boolean]>([
  ['export is off', { [EXPORT_FROM]: hoursLater(-1).toISOString() }, false],
  ['export has been on since before waits existed', { keyExport: true }, true],
  ['export is on, and the wait is over', { keyExport: true, [EXPORT_FROM]: NOW.toISOString() }, true],
  ['export is on, and the wait is not over', { keyExport: true, [EXPORT_FROM]: hoursLater(0.01).toISOString() }, false],
  ['export is on from a date that cannot be read', { keyExport: true, [EXPORT_FROM]: null }, false],
])('keys can be exported only while export is on and its wait is over: %s', (_title, stored, expected) => {
  expect(mayExport(stored, NOW)).toBe(expected);
});
