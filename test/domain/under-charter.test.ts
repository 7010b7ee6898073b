import { operations } from '../../api/operations';
import { AMENDMENT_KINDS } from '../../domain/amendments';
import { CHARTER_OPERATION_IDS } from '../../domain/charters';
import { UNDER_CHARTER, underCharterOf } from '../../domain/under-charter';

test('the list names every operation that may change something, and no other', () => {
  const changing = operations.filter(({ method }) => method !== 'get').map(({ id }) => id);
  expect(Object.keys(UNDER_CHARTER).sort()).toEqual(changing.sort());
});

test('exactly the amendments change a charter, and a charter allows only what the signer judges', () => {
  expect(
    Object.keys(UNDER_CHARTER)
      .filter((id) => underCharterOf(id) === 'Amends')
      .sort(),
  ).toEqual([...AMENDMENT_KINDS].sort());
  expect([...new Set(CHARTER_OPERATION_IDS.map(underCharterOf))].sort()).toEqual(['Amends', 'Judged']);
});

test('an operation that only reads means nothing for the signer', () => {
  expect(underCharterOf('listWallets')).toBe('Nothing');
});
