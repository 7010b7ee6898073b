import { operations } from '../api/operations';
import { documentRules } from './support/tidy/documents';
import { familyRules } from './support/tidy/families';
import { fileRules } from './support/tidy/files';
import { functionRules } from './support/tidy/functions';
import { guaranteeRules } from './support/tidy/guarantees';
import { nameRules } from './support/tidy/names';
import { declaredOperations, operationRules } from './support/tidy/operations';
import { packageRules } from './support/tidy/packages';
import { readTree } from './support/tidy/tree';
import { variantRules } from './support/tidy/variants';
import { wordRules } from './support/tidy/words';

const tree = readTree();

for (const { title, check } of [
  ...wordRules,
  ...fileRules,
  ...familyRules,
  ...variantRules,
  ...operationRules,
  ...packageRules,
  ...documentRules,
  ...guaranteeRules,
  ...nameRules,
  ...functionRules,
]) {
  test(title, () => {
    expect(check(tree)).toEqual([]);
  });
}

test('the API serves every declared operation', () => {
  expect(operations.map(({ id }) => id).sort()).toEqual(
    declaredOperations(tree)
      .map(({ id }) => id)
      .sort(),
  );
});
