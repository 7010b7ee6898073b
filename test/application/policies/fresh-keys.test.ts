import { KeyEntity } from '../../../entities/keys/key.entity';
import { WalletEntity } from '../../../entities/wallets/wallet.entity';
import { newId } from '../../../platform/ids';
import type { TestDatabase } from '../../support/database';
import { insertPolicy, insertWallet, judgeTransfer } from '../../support/held-activity';
import { eachInItsOrganization } from '../../support/own-organization';
import { BLOCK } from '../../support/policies';

let database: TestDatabase;
let orgId: string;
let walletId: string;
eachInItsOrganization(async (...own) => {
  [database, orgId] = own;
  walletId = await insertWallet(database.db, orgId, ['cold']);
  for (const filters of [{ walletId: { in: [walletId] } }, { walletTags: { hasAny: ['cold'] } }])
    await insertPolicy(database.db, orgId, { action: BLOCK, filters });
});

async function insertKey(parentId: string | null = null): Promise<string> {
  const id = newId('key');
  const derived = parentId === null ? {} : { derivedFrom: parentId, derivationPath: `m/${id}` };
  const kind = { scheme: 'ECDSA', curve: 'secp256k1', status: 'Active' } as const;
  await database.db.withOrg(orgId, (tx) => tx.insert(KeyEntity, { orgId, id, ...kind, ...derived }));
  return id;
}
const keyOfWallet = async () => (await database.db.read(orgId).row(WalletEntity, 'WHERE t.id = $1', [walletId]))?.keyId ?? '';
const outcome = async (keyId: string) =>
  (await judgeTransfer(database.db, orgId, { walletId: null, keyId, initiatorId: 'us-somebody' })).outcome;

test('policies with a wallet filter do not stop a key that never had a wallet', async () => {
  const parentId = await insertKey();
  expect(await outcome(parentId)).toBe('Cleared');
  expect(await outcome(await insertKey(parentId))).toBe('Cleared');
});

test('a policy without filters applies to a key that never had a wallet', async () => {
  await insertPolicy(database.db, orgId, { action: BLOCK });
  expect(await outcome(await insertKey())).toBe('Blocked');
});

test('a key derived from the key of a wallet, at any depth, is judged for that wallet', async () => {
  const child = await insertKey(await keyOfWallet());
  expect(await outcome(child)).toBe('Blocked');
  expect(await outcome(await insertKey(child))).toBe('Blocked');
});

test('a key is still judged for its archived wallet', async () => {
  await database.db.withOrg(orgId, (tx) => tx.update(WalletEntity, { id: walletId }, { status: 'Archived' }));
  expect(await outcome(await keyOfWallet())).toBe('Blocked');
});
