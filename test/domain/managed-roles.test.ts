import { operations } from '../../api/operations';
import { MANAGED_ROLES } from '../../domain/managed-roles';
import { allows, shownOperations } from '../../domain/permissions';

const operationsOf = (role: string): readonly string[] => MANAGED_ROLES.find(({ name }) => name === role)?.operations ?? [];

/** The operations that change something and are open to the holder of this role, but not to every user who is signed in. */
const changesOf = (role: string): readonly string[] => {
  const held = new Set(operationsOf(role));
  return operations
    .filter(({ id, method, permission }) => method !== 'get' && permission && allows(held, permission, id))
    .map(({ id }) => id)
    .sort();
};

/** These operations store only their result: they move no assets and grant no permissions. */
const TRIALS = ['createBacktest', 'evaluatePolicies'];

test.each([
  ['Viewer', TRIALS],
  ['Auditor', TRIALS],
  ['Approver', [...TRIALS, 'createApprovalDecision', 'createApprovalDecisions']],
  [
    'Initiator',
    [
      ...TRIALS,
      ...['abortTransaction', 'broadcastTransaction', 'cancelTransaction', 'confirmTransaction', 'speedUpTransaction'],
      ...['abortTransfer', 'transferAsset', 'cancelTransfer', 'confirmTransfer', 'speedUpTransfer'],
      'walletsCancelSignature',
    ],
  ],
])('the role %s may make only the listed changes', (role, changes) => {
  expect(changesOf(role)).toEqual([...changes].sort());
});

test('an auditor may call every read that needs a permission', () => {
  const held = new Set(operationsOf('Auditor'));
  const closed = operations
    .filter(({ id, method, permission }) => method === 'get' && permission && !allows(held, permission, id))
    .map(({ id }) => id);
  expect(closed).toEqual([]);
});

test('each role may read policy evaluations', () => {
  for (const { name } of MANAGED_ROLES)
    expect([name, shownOperations(operationsOf(name))]).toEqual([name, expect.arrayContaining(['Policies:Evaluations:Read'])]);
});
