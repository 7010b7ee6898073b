import { catalogueOf } from '../../api/http/permissions';
import { operations } from '../../api/operations';
import { MANAGED_ROLES } from '../../domain/managed-roles';
import { CATALOGUE } from '../../domain/permission-catalogue';
import {
  allows,
  intersection,
  isImmutable,
  LATEST_NAMES,
  MANAGED_DEFAULT_END_USER,
  MANAGED_FULL_ADMIN,
  PERMISSION_NAMES,
  readCatalogue,
  shownOperations,
  storedOperations,
} from '../../domain/permissions';
import { promised } from '../contract/open-operations';

const asking = operations.flatMap(({ id, permission, furtherPermissionNames }) =>
  [permission ?? [], furtherPermissionNames ?? []].flat().map((name): [string, string] => [id, name]),
);

test.each(asking)('%s requires %s, and by the catalogue this name grants the operation', (id, name) => {
  expect(allows(new Set(storedOperations([name])), name, id)).toBe(true);
});

test("every permission of the published client's operations exists here and grants the operation", () => {
  const asked = promised.flatMap(({ id, permissions }) =>
    permissions.map((entry): [string, string] => [id, entry.split(' if:')[0] ?? '']),
  );
  expect(asked.filter(([id, name]) => !allows(new Set([name]), name, id))).toEqual([]);
  expect(catalogueOf(operations).filter((name) => !PERMISSION_NAMES.includes(name))).toEqual([]);
});

test('an earlier and the latest name of a permission are interchangeable, and the latest name is shown', () => {
  for (const held of ['Policies:Approvals:Approve', 'Policies:Evaluations:Vote']) {
    for (const asked of ['Policies:Approvals:Approve', 'Policies:Evaluations:Vote'])
      expect(allows(new Set([held]), asked, 'createApprovalDecision')).toBe(true);
    expect(shownOperations(storedOperations([held]))).toEqual(['Policies:Evaluations:Vote']);
  }
});

test('a name grants only the operations of its line in the catalogue', () => {
  expect(allows(new Set(['Wallets:Create']), 'Wallets:Create', 'getWallet')).toBe(false);
  expect(allows(new Set(['Wallets:Read']), 'Wallets:Create', 'createWallet')).toBe(false);
  expect(allows(new Set(['PermissionAssignments:Create']), 'Permissions:Assign', 'createAssignment')).toBe(false);
});

test('an unknown name grants nothing, even to its holder', () => {
  expect(allows(new Set(['Wallets:Melt']), 'Wallets:Melt', 'createWallet')).toBe(false);
});

describe('a name that a later release extends to another operation', () => {
  const before = readCatalogue([['Boxes:Open', 'openBox']]);
  const after = readCatalogue([['Boxes:Open', 'openBox breakBox@2', 'Boxes:Unlock']]);

  test('does not widen a list that was stored before', () => {
    const old = new Set(storedOperations(['Boxes:Open'], before));
    expect(allows(old, 'Boxes:Open', 'openBox', after)).toBe(true);
    expect(allows(old, 'Boxes:Open', 'breakBox', after)).toBe(false);
  });

  test('grants the new operation once the list is stored again, and is still shown as one name', () => {
    const stored = storedOperations(['Boxes:Unlock'], after);
    expect(stored).toEqual(['Boxes:Open', 'Boxes:Open@2']);
    expect(allows(new Set(stored), 'Boxes:Open', 'breakBox', after)).toBe(true);
    expect(shownOperations(stored)).toEqual(['Boxes:Open']);
  });
});

test('no two names share a spelling', () => {
  expect(() =>
    readCatalogue([
      ['A', 'x'],
      ['B', 'y', 'A'],
    ]),
  ).toThrow('A appears twice');
  expect(PERMISSION_NAMES.length).toBeGreaterThan(CATALOGUE.length);
});

test('an intersection contains the permissions that both sets contain, in any spelling', () => {
  const user = new Set(['Policies:Approvals:Read', 'Wallets:Read']);
  expect([...intersection(user, new Set(['Policies:Evaluations:Read', 'Keys:Read']))]).toEqual(['Policies:Evaluations:Read']);
  expect(intersection(user, null)).toBe(user);
  expect([...intersection(new Set(['*']), new Set(['Keys:Read']))]).toEqual(['Keys:Read']);
});

test('the wildcard is shown as the list of all names', () => {
  expect(shownOperations(['*'])).toEqual(LATEST_NAMES);
});

test('only the managed permission for end users may be changed', () => {
  const managed = [MANAGED_FULL_ADMIN, MANAGED_DEFAULT_END_USER.name, ...MANAGED_ROLES.map(({ name }) => name)];
  expect(managed.filter((name) => !isImmutable({ name, isManaged: true }))).toEqual([MANAGED_DEFAULT_END_USER.name]);
  expect(isImmutable({ name: 'Viewer', isManaged: false })).toBe(false);
});

test('every name of a managed role is in the catalogue in its latest spelling', () => {
  for (const { operations } of MANAGED_ROLES) expect(LATEST_NAMES).toEqual(expect.arrayContaining(shownOperations(operations)));
});

test("every operation of the end users' default permission is in the catalogue", () => {
  expect(storedOperations(MANAGED_DEFAULT_END_USER.operations)).toEqual([...MANAGED_DEFAULT_END_USER.operations]);
});
