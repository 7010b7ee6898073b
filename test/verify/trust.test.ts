import { generateKeyPairSync } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Charter } from '../../signer/charters/charter';
import { WrongUsage } from '../../verify/not-verified';
import { trust } from '../../verify/trust';
import { type Office, openOffice, refusal } from './office';

let office: Office;
let first: Charter;
beforeAll(async () => {
  office = await openOffice();
  first = await office.draft();
});
afterAll(() => office?.close());

const now = new Date('2026-11-28T12:00:00.000Z');
let folders = 0;
const newHome = () => {
  folders += 1;
  return join(office.folder, `home-${folders}`);
};
const trusting = (home: string, charter: string, operatorKey: string | undefined = office.operatorKey) =>
  trust({ home, charter, operatorKey }, now).join('\n');

test('the first charter is shown and stored in a folder that only its owner can read', () => {
  const home = newHome();
  const text = trusting(home, office.signed(first));
  expect(text).toContain('Sequence      1, the first charter');
  expect(text).toContain('triggers on every request');
  expect(text).toContain('first charter of this organisation in your folder');
  expect(statSync(join(home, 'charters.json')).mode & 0o777).toBe(0o600);
});

test('the next charter is trusted and its differences are shown, and the same charter is trusted again without the operator’s key', () => {
  const home = newHome();
  trusting(home, office.signed(first));
  const second = office.next(first, { limits: [{ walletId: office.wallet.id, asset: 'native', hours: 1, unitsMax: '5' }] });
  const path = office.signed(second);
  expect(trusting(home, path)).toContain('+ Limits');
  expect(trust({ home, charter: path }, now).join('\n')).toContain('It is now the one that you trust');
});

test('an older charter, a second charter with the same sequence and a charter with a wrong predecessor are refused', async () => {
  const home = newHome();
  trusting(home, office.signed(first));
  const second = office.next(first);
  const refused = (charter: Charter) => refusal(() => trusting(home, office.signed(charter)));
  expect(await refused({ ...first, dateIssued: '2026-01-01T00:00:00Z' })).toContain('TWO charters with the sequence 1');
  expect(await refused({ ...second, previous: 'ab'.repeat(32) })).toContain('does not follow');
  trusting(home, office.signed(second));
  expect(await refused(first)).toMatch(/OLDER than the one that you saw on 2026-11-28T12:00:00.000Z \(sequence 2/);
});

test('a charter after amendments by members is trusted, and the output states how many charters lie between', () => {
  const home = newHome();
  trusting(home, office.signed(first));
  const third = { ...office.next(office.next(first)), policies: [] };
  expect(trusting(home, office.signed(third))).toMatch(/1 charters lie between: .*\nThe differences[\s\S]*- Policies/);
});

test('a charter that another key signed, or whose text was changed, is refused', async () => {
  const home = newHome();
  const other = generateKeyPairSync('ed25519');
  expect(await refusal(() => trusting(home, office.signed(first, other.privateKey)))).toContain(
    'The operator did not sign this charter',
  );
  const changed = office.read(office.signed(first)).replace('"sequence\\":1', '"sequence\\":2');
  expect(await refusal(() => trusting(home, office.put(changed)))).toContain('The operator did not sign this charter');
  trusting(home, office.signed(first));
  const otherHex = other.publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('hex');
  expect(await refusal(() => trusting(home, office.signed(office.next(first), other.privateKey), otherHex))).toContain(
    'another operator',
  );
});

test('one mebibyte of junk, a member that appears twice and a text that is not a charter are refused', async () => {
  const home = newHome();
  expect(await refusal(() => trusting(home, office.put('x'.repeat(1024 * 1024))))).toContain('is not valid JSON');
  expect(await refusal(() => trusting(home, office.put('{"charter":"a","charter":"b","signature":""}')))).toContain('twice');
  expect(await refusal(() => trusting(home, office.put('{"a":'.repeat(200_000))))).toContain('is not valid JSON');
  expect(await refusal(() => trusting(home, office.signed('{"v":1}')))).toContain('cannot read it as a charter');
});

test('a file of eight mebibytes is read, and a file of one byte more is not', async () => {
  const home = newHome();
  const most = 8 * 1024 * 1024;
  expect(await refusal(() => trusting(home, office.put('x'.repeat(most))))).toContain('is not valid JSON');
  expect(await refusal(() => trusting(home, office.put('x'.repeat(most + 1))))).toContain(`has ${most + 1} bytes`);
});

test('a name with terminal commands is shown as text', () => {
  const evil = first.policies.map((policy) => ({ ...policy, name: '\u001b[2Jgood\u202e' }));
  const text = trusting(newHome(), office.signed({ ...first, policies: evil }));
  expect(text).toContain('\\u{1b}[2Jgood\\u{202e}');
  expect(text).not.toContain('\u001b');
});

test('the first charter without the operator’s key, and a key of a wrong length, are usage errors', () => {
  const charter = office.signed(first);
  expect(() => trust({ home: newHome(), charter }, now)).toThrow(WrongUsage);
  expect(() => trusting(newHome(), charter, 'AAAA')).toThrow(WrongUsage);
});
