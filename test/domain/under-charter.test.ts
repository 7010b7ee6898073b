import { operations } from '../../api/operations';
import { AMENDMENT_KINDS } from '../../domain/amendments';
import { CHARTER_OPERATION_IDS } from '../../domain/charters';
import { UNDER_CHARTER, underCharterOf } from '../../domain/under-charter';

test('the list contains exactly the operations that may change something', () => {
  const changing = operations.filter(({ method }) => method !== 'get').map(({ id }) => id);
  expect(Object.keys(UNDER_CHARTER).sort()).toEqual(changing.sort());
});

test('only the listed amendments change a charter, and a charter allows only operations that the signer judges', () => {
  expect(
    Object.keys(UNDER_CHARTER)
      .filter((id) => underCharterOf(id) === 'Amends')
      .sort(),
  ).toEqual([...AMENDMENT_KINDS].sort());
  expect([...new Set(CHARTER_OPERATION_IDS.map(underCharterOf))].sort()).toEqual(['Amends', 'Judged']);
});

test('an operation that only reads does not concern the signer', () => {
  expect(underCharterOf('listWallets')).toBe('Nothing');
});
