import {
  COOLING_FLOOR,
  coolingFloor,
  coolingHours,
  RECOVERY_FLOOR,
  REGISTRY_FLOOR,
  recoveryWaitHours,
  registryCoolingHours,
  SETTINGS,
  settingsOf,
} from '../../domain/settings';

const NOW = new Date('2026-11-21T12:00:00Z');
const hoursLater = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000);

test('what was never set is the default, and the defaults are the careful ones', () => {
  expect(settingsOf({})).toEqual({
    keyImport: false,
    keyExport: false,
    externalIdRequired: false,
    equalPaymentHoldMinutes: 0,
    sessionMinutes: 720,
    recoveryWaitHours: 0,
    voterCoolingHours: 0,
    approvalMails: true,
    registryCoolingHours: 0,
    serviceAccountsMayVote: false,
    refuseUnreachable: false,
  });
});

test.each<[string, unknown, number]>([
  ['the least', SETTINGS.sessionMinutes.min, SETTINGS.sessionMinutes.min],
  ['the most', SETTINGS.sessionMinutes.max, SETTINGS.sessionMinutes.max],
  ['one less than the least', SETTINGS.sessionMinutes.min - 1, 720],
  ['one more than the most', SETTINGS.sessionMinutes.max + 1, 720],
  ['a fraction', 60.5, 720],
  ['text', '60', 720],
  ['nothing', null, 720],
])('a stored length of sessions counts only where it can be one: %s', (_title, stored, expected) => {
  expect(settingsOf({ sessionMinutes: stored }).sessionMinutes).toBe(expected);
});

test('a stored word is no switch', () => {
  expect(settingsOf({ serviceAccountsMayVote: 'true', keyExport: 1 })).toMatchObject({
    serviceAccountsMayVote: false,
    keyExport: false,
  });
});

test('a waiting time that was made shorter counts in its old length until that is over, and a longer one at once', () => {
  expect(coolingFloor(24, 24, NOW)).toBeUndefined();
  expect(coolingFloor(24, 48, NOW)).toBeUndefined();
  const stored = { voterCoolingHours: 0, [COOLING_FLOOR]: coolingFloor(24, 0, NOW) };
  expect(coolingHours(stored, hoursLater(23.99))).toBe(24);
  expect(coolingHours(stored, hoursLater(24))).toBe(0);
  expect(coolingHours({ ...stored, voterCoolingHours: 72 }, NOW)).toBe(72);
});

test('so does the wait of recoveries, which has an end of its own', () => {
  const stored = { recoveryWaitHours: 0, [RECOVERY_FLOOR]: coolingFloor(24, 0, NOW) };
  expect(recoveryWaitHours(stored, hoursLater(23.99))).toBe(24);
  expect(recoveryWaitHours(stored, hoursLater(24))).toBe(0);
  expect(recoveryWaitHours({ ...stored, recoveryWaitHours: 72 }, NOW)).toBe(72);
  expect(coolingHours(stored, NOW)).toBe(0);
});

test('so does the cooling period of the registry', () => {
  const stored = { registryCoolingHours: 0, [REGISTRY_FLOOR]: coolingFloor(24, 0, NOW) };
  expect(registryCoolingHours(stored, hoursLater(23.99))).toBe(24);
  expect(registryCoolingHours(stored, hoursLater(24))).toBe(0);
  expect(registryCoolingHours({ ...stored, registryCoolingHours: 72 }, NOW)).toBe(72);
  expect(coolingHours(stored, NOW)).toBe(0);
});
