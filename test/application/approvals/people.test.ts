import { operations } from '../../../api/operations';
import { VOTING } from '../../../application/approvals/people';
import { waysOf } from '../../../domain/change-requests';
import { ACTIVITY_KINDS } from '../../../domain/policies';

const ways = ACTIVITY_KINDS.flatMap((kind) => waysOf(kind).map((way) => [kind, ...way] as const));

test.each([...ways, ['voting', ...VOTING] as const])(
  '%s: the permission %s is the one that the operation %s requires',
  (_kind, permission, id) => {
    expect(operations.find((operation) => operation.id === id)?.permission).toBe(permission);
  },
);

test('an operation exists for every kind of activity that users can request', () => {
  const without = ACTIVITY_KINDS.filter((kind) => waysOf(kind).length === 0);
  // No user requests an incoming transaction.
  expect(without).toEqual(['Wallets:IncomingTransaction']);
});
