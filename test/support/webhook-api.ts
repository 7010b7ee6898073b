import { secretContext } from '../../application/webhooks/sending';
import { eventStore } from '../../entities/events/event.store';
import { webhookEventStore } from '../../entities/webhooks/webhook-event.store';
import { createSecretBox } from '../../platform/secret-box';
import { type Person, startApi } from './api';
import { STAND_KEK } from './stand';

export const DATA_KEK = STAND_KEK;

export type WebhookBody = { readonly id: string; readonly secret: string } & Readonly<Record<string, unknown>>;

/** The real API, with functions that create administrators, colleagues, webhooks and attempts. */
export async function startWebhookApi(temporalAddress?: string) {
  const api = await startApi(temporalAddress === undefined ? {} : { dataKek: DATA_KEK.toString('hex'), temporalAddress });
  const { db } = api.database;
  return {
    api,
    db,
    /** Creates an organisation with an administrator, and returns the administrator. */
    admin: async (): Promise<Person> => api.createPerson(await api.createOrganization()),
    /** Creates a person of this organisation with only these permissions. */
    colleague: (orgId: string, operations: readonly string[]): Promise<Person> => api.createPerson(orgId, { operations }),
    create: async ({ client }: Person, body: Record<string, unknown> = {}): Promise<WebhookBody> => {
      const answer = await client.change('POST', '/webhooks', { url: 'https://example.com/hook', events: ['*'], ...body });
      if (answer.status !== 200) throw new Error(`creating a webhook returned ${answer.status}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    /** Opens the sealed secret of the row. */
    secretOf: (orgId: string, webhookId: string, sealed: string): string =>
      createSecretBox(DATA_KEK, 'webhook-secrets').open(sealed, secretContext(orgId, webhookId)),
    /** Stores an attempt to deliver a new event, and returns its id. */
    attempt: (orgId: string, webhookId: string, kind: 'wallet.created' | 'key.created', failed: boolean): Promise<string> =>
      db.withOrg(orgId, async (tx) => {
        const id = await eventStore.emit(tx, { kind, aggregateId: 'wa-1', aggregateVersion: 1, data: { some: 'data' } });
        const [begun] = await webhookEventStore.begin(tx, [{ webhookId, event: { id, kind }, number: 1, firstId: null }]);
        if (!begun) throw new Error('the attempt was not written');
        const result = failed
          ? { status: '500', error: 'the receiver answered 500', failed, nextAttemptDate: new Date('2030-01-01T00:01:00.000Z') }
          : { status: '200', error: null, failed, nextAttemptDate: null };
        await webhookEventStore.settle(tx, begun.id, result);
        return begun.id;
      }),
    close: () => api.close(),
  };
}

export type WebhookApi = Awaited<ReturnType<typeof startWebhookApi>>;
export const UNKNOWN_WEBHOOK = 'wh-01abc-01abc-0123456789abcdef';
