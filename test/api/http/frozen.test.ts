import { assertOpen, WHILE_FROZEN } from '../../../api/http/frozen';
import { operations } from '../../../api/operations';
import { AppError } from '../../../domain/errors';

const frozen = { assertThawed: () => Promise.reject(new AppError('Frozen', 'frozen')) };

test('503: the deployment is frozen and serves only reads, login and logout', async () => {
  const open: string[] = [];
  for (const operation of operations) {
    await assertOpen(operation, frozen).then(
      () => open.push(operation.id),
      (error: unknown) => expect(error).toMatchObject({ code: 'Frozen', status: 503 }),
    );
  }
  const known = operations.filter(({ id }) => WHILE_FROZEN.has(id));
  expect(known).toHaveLength(WHILE_FROZEN.size);
  expect(known.filter(({ userAction }) => userAction)).toEqual([]);
  const reads = operations.filter(({ method }) => method === 'get').map(({ id }) => id);
  expect(open.sort()).toEqual([...new Set([...reads, ...WHILE_FROZEN])].sort());
});
