import { operations } from '../../../api/operations';
import { VOTING, WAYS } from '../../../application/approvals/people';

const ways = Object.entries(WAYS).flatMap(([kind, of]) => of.map((way) => [kind, ...way] as const));

test.each([...ways, ['voting', ...VOTING] as const])(
  '%s with %s begins with the operation %s that asks for it',
  (_kind, permission, id) => {
    expect(operations.find((operation) => operation.id === id)?.permission).toBe(permission);
  },
);

test('every kind of activity that somebody asks for has a way to ask', () => {
  const without = Object.entries(WAYS).flatMap(([kind, of]) => (of.length === 0 ? [kind] : []));
  // Nobody asks for what comes in.
  expect(without).toEqual(['Wallets:IncomingTransaction']);
});
