import { operations } from '../../api/operations';
import { AMENDMENTS } from '../../domain/amendments';

test.each(Object.entries(AMENDMENTS))(
  'the amendment %s equals the operation of the same name',
  (id, { method, path, permissions }) => {
    const operation = operations.find((one) => one.id === id);
    const [permission = null, ...others] = permissions;
    expect(operation).toMatchObject({ method: method.toLowerCase(), path, permission, userAction: true });
    expect(operation?.furtherPermissionNames ?? []).toEqual(expect.arrayContaining(others));
  },
);
