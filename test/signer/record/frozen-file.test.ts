import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FREEZE_FILE, isStateFrozen, unlessFrozen } from '../../../signer/record/frozen-file';
import { temporaryFolder } from '../fixtures';

test('while the freeze file is in the state folder, orders are refused and not carried out', async () => {
  const folder = temporaryFolder();
  const carried: string[] = [];
  const order = unlessFrozen(folder.path, async (id: string) => carried.push(id));
  await order('before');
  writeFileSync(join(folder.path, FREEZE_FILE), '');
  expect(isStateFrozen(folder.path)).toBe(true);
  await expect(order('frozen')).rejects.toMatchObject({ name: 'Refusal', reason: 'Frozen', signedBefore: false });
  rmSync(join(folder.path, FREEZE_FILE));
  await order('after');
  expect(carried).toEqual(['before', 'after']);
  folder.remove();
});
