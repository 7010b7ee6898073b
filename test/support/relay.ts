import type { Dispatcher } from '../../application/dispatch/dispatcher';
import { createDeliverer, type Deliverer } from '../../application/webhooks/delivery';
import { secretContext } from '../../application/webhooks/sending';
import type { Dispatch } from '../../entities/outbox/outbox.store';
import type { OutboxRowEntity } from '../../entities/outbox/outbox-row.entity';
import { webhookStore } from '../../entities/webhooks/webhook.store';
import { newId } from '../../platform/ids';
import { createLogger } from '../../platform/logger';
import { createSecretBox } from '../../platform/secret-box';
import { createRelay, type Relay } from '../../worker/relay/relay';
import type { TestDatabase } from './database';
import { asSuperuser } from './roles';

export const SECRETS = createSecretBox(Buffer.alloc(32, 1), 'webhook-secrets');
export const WEBHOOK_SECRET = 'whs-a-secret-of-the-tests';

export type CarriedOut = Dispatch & { readonly orgId: string; readonly by: string };

/** The rows that would have reached Temporal. `fail` can refuse a row. */
export type Carried = { readonly rows: CarriedOut[]; fail: (row: Dispatch) => boolean };
export const nothingCarried = (): Carried => ({ rows: [], fail: () => false });

type Options = {
  readonly holderId: string;
  readonly carried: Carried;
  readonly deliverer?: Deliverer;
  readonly leaseTtlMs?: number;
};

export function localDeliverer({ db }: TestDatabase, timeoutMs?: number): Deliverer {
  return createDeliverer({ db, secrets: SECRETS, allowLoopback: true, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
}

/** A relay over the real database that records its starts and signals in a list. */
export function testRelay(database: TestDatabase, { holderId, carried, deliverer, leaseTtlMs }: Options): Relay {
  const carryOut: Dispatcher['carryOut'] = async (orgId, row) => {
    if (carried.fail(row)) throw new Error('refused by the test');
    carried.rows.push({ ...row, orgId, by: holderId });
  };
  return createRelay({
    relayUrl: database.relayUrl,
    dispatcher: { carryOut, tryNow: carryOut, execute: () => Promise.reject(new Error('nothing is executed here')) },
    deliverer: deliverer ?? localDeliverer(database),
    logger: createLogger('relay', 'silent'),
    holderId,
    ...(leaseTtlMs === undefined ? {} : { leaseTtlMs }),
  });
}

/** Inserts a webhook that subscribes to these kinds, and returns its id. */
export async function insertWebhook(
  { db }: TestDatabase,
  orgId: string,
  url: string,
  events: readonly string[] = ['*'],
): Promise<string> {
  const id = newId('webhook');
  const sealedSecret = SECRETS.seal(WEBHOOK_SECRET, secretContext(orgId, id));
  await db.withOrg(orgId, (tx) =>
    webhookStore.insert(tx, id, { url, status: 'Enabled', description: null, events, sealedSecret }),
  );
  return id;
}

/** The outbox rows of all organisations, oldest first, as the database's superuser sees them. */
export function outboxRows({
  name,
}: TestDatabase): Promise<(Pick<OutboxRowEntity, 'id' | 'kind' | 'attempts'> & { readonly relayed: boolean })[]> {
  return asSuperuser(
    async (client) =>
      (await client.query('SELECT id, kind, attempts, date_relayed IS NOT NULL AS relayed FROM outbox ORDER BY id')).rows,
    name,
  );
}
