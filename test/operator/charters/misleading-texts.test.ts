import { differenceLines } from '../../../operator/charters/charter-differences';
import { readingLines } from '../../../operator/charters/charter-reading';
import { draftCharter } from '../../../operator/charters/draft-charter';
import { type Charter, charterFaults } from '../../../signer/charters/charter';
import { type Chartered, openChartered } from '../../signer/charters/chartered';

/** Control characters that a terminal may obey, and characters that change the writing direction. */
const HARMFUL = /[\p{Cc}\p{Cf}]/u;
const HIDDEN = '\u202e\u009b2J';

let office: Chartered;
beforeAll(async () => {
  office = await openChartered();
});
afterAll(() => office.close());
const tagged = (...tags: string[]): Charter => ({
  ...office.charter,
  wallets: office.charter.wallets.map((wallet) => ({ ...wallet, tags })),
});
const named = (name: string) => {
  const { ben } = office.people;
  return readingLines(office.charter, new Map([[ben.userId, name]])).filter((line) => line.includes(ben.userId));
};

test('one tag with a comma does not read like two tags', () => {
  expect(readingLines(tagged('treasury, hot'))).not.toEqual(readingLines(tagged('treasury', 'hot')));
});

test('a name with a comma does not read like several approvers', () => {
  const { ben, cyd } = office.people;
  const lines = named(`Ben, ${cyd.userId} Cyd`).filter((line) => line.includes(' of '));
  expect(lines.join()).not.toContain(`${ben.userId} Ben, ${cyd.userId} Cyd`);
});

test('a long run of spaces in a name cannot fake a line of its own', () => {
  expect(named(`Ben${' '.repeat(200)}then does nothing`).join()).not.toMatch(/ {9}/);
});

test('the lines of a difference contain no control characters', () => {
  const lines = differenceLines(tagged('a, b', HIDDEN), tagged('a', 'b', HIDDEN));
  expect(lines.filter((line) => HARMFUL.test(line))).toEqual([]);
});

test('the faults of a text contain no control characters', () => {
  const text = JSON.stringify({ ...office.charter, '\u001b[2JADOPTED': 1 });
  expect(charterFaults(text).filter((fault) => HARMFUL.test(fault))).toEqual([]);
});

test('a limit for a wallet that the charter lacks is refused', () => {
  const { signerId, organizationId: orgId, members, wallets, policies } = office.charter;
  const content = { members, wallets, feeSponsors: [], registryAddresses: [], policies } as never;
  const limits = [{ walletId: 'wa-misspelled', asset: 'native', hours: 24, unitsMax: '1' }];
  expect(() =>
    draftCharter({ content, exportPolicies: [] }, { signerId, orgId, inForce: undefined, limits }, new Date(0)),
  ).toThrow();
});
