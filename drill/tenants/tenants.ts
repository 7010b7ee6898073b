import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { openStrongroomDatabase } from '../../entities/data-source';
import type { Database } from '../../entities/database';
import { createClient } from '../../local/client';
import { createTrialOrganization, type TrialUser } from '../../local/trial-organization';
import { createTokenKeys, type TokenKeys } from '../../platform/token-keys';
import type { Cell } from '../cases';
import { isReceiptStory } from '../kill-points';
import type { Stage } from '../rig';

/** An organisation of one record, so that its feed and its audit log contain nothing else. */
export type Tenant = { readonly orgId: string; readonly admin: TrialUser };

const Created = z.object({ id: z.string() });
const Wallet = z.object({ id: z.string(), address: z.string() });

/** Calls `work` with a connection to the database of the stage, and with the keys for tokens of new users. */
export async function withDatabase<T>(stage: Stage, work: (db: Database, keys: TokenKeys) => Promise<T>): Promise<T> {
  const keys = createTokenKeys(readFileSync(join(stage.place().dataFolder, 'secrets', 'token-key.pem'), 'utf8'));
  const db = await openStrongroomDatabase({ url: stage.databaseUrl(), poolMax: 2, applicationName: 'strongroom-drill' });
  try {
    return await work(db, keys);
  } finally {
    await db.close();
  }
}

/** Gives each cell an organisation with a webhook, and a wallet where the story needs one. */
export async function openTenants(stage: Stage, cells: readonly Cell[]): Promise<void> {
  if (cells.length === 0) return;
  await withDatabase(stage, (db, keys) =>
    Promise.all(
      cells.map(async (cell) => {
        const { orgId, users } = await createTrialOrganization(db, keys, ['admin']);
        const [admin] = users;
        if (!admin) throw new Error('an organisation has a user');
        cell.tenant = { orgId, admin };
        const { change } = createClient(stage.place().apiUrl, admin);
        await change('POST', '/webhooks', { url: stage.receiver.url, events: ['*'], description: 'drill' }, Created);
        const { story, network } = cell.point;
        if (isReceiptStory(story)) cell.wallet = await change('POST', '/wallets', { network }, Wallet);
      }),
    ),
  );
}
