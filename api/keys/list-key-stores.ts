import { z } from 'zod';
import { keyStoreView } from '../../application/key-stores/view';
import { keyStoresStore } from '../../entities/key-stores/key-stores.store';
import { operation } from '../http/operation';
import { KeyStores } from './schemas';

export const listKeyStores = operation({
  id: 'listKeyStores',
  method: 'get',
  path: '/key-stores',
  tag: 'signers',
  summary: 'List the key stores',
  description:
    'Every organisation begins with the store `software`: its secrets are sealed in the database, and the signer process uses ' +
    'each secret whole, so the store is neither a hardware module nor a threshold scheme. The other stores are offline stores. ' +
    'Only the operator changes the stores; removed stores are left out. Each change emits `keyStore.changed`. The list is not ' +
    'divided into pages.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Read',
  userAction: false,
  params: z.object({}),
  query: z.object({}),
  body: z.unknown(),
  response: KeyStores,
  handle: async ({ authority: { caller } }, { db }) => {
    const stores = await keyStoresStore.list(db.read(caller.orgId));
    return { items: stores.filter(({ state }) => state !== 'Removed').map(keyStoreView) };
  },
});
