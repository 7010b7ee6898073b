import { z } from 'zod';
import { SOFTWARE_STORE } from '../../domain/key-stores';
import { operation } from '../http/operation';
import { KeyStores } from './schemas';

export const listKeyStores = operation({
  id: 'listKeyStores',
  method: 'get',
  path: '/key-stores',
  tag: 'signers',
  summary: 'List the key stores',
  description:
    'A deployment has exactly one store, `software`: its secrets are sealed in the database, and the signer process uses each ' +
    'secret whole, so the store is neither a hardware module nor a threshold scheme. The list is not divided into pages.',
  callers: ['CustomerEmployee', 'ServiceAccount'],
  permission: 'KeyStores:Read',
  userAction: false,
  params: z.object({}),
  query: z.object({}),
  body: z.unknown(),
  response: KeyStores,
  handle: async () => {
    const { storeId: id, kind, name, isPrimary: primary } = SOFTWARE_STORE;
    return { items: [{ id, kind, name, primary }] };
  },
});
