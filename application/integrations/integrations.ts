import { z } from 'zod';
import { AppError } from '../../domain/errors';
import { fieldFault } from '../../domain/field-faults';
import {
  INTEGRATION_KINDS,
  type IntegrationCredentials,
  type IntegrationKind,
  type IntegrationTest,
  SIGNS_WEBHOOKS,
} from '../../domain/integrations';
import type { Reader } from '../../entities/database';
import { integrationStore } from '../../entities/integrations/integration.store';
import { newId } from '../../platform/ids';
import type { SecretBox } from '../../platform/secret-box';
import { TEST_INTEGRATION } from '../../workflows/test-integration.messages';
import type { Services } from '../services';
import { type Authority, act } from '../user-actions/act';
import { integrationView } from './view';

/** The limit of a test, including the wait for a worker and the wait for the vendor. */
const TEST_LIMIT_MS = 12_000;

const Credentials = z.strictObject({ apiKey: z.string(), webhookSecret: z.string().exactOptional() });

/** The context to which the credentials are sealed, so that credentials copied to another row cannot be opened. */
const contextOf = (orgId: string, kind: IntegrationKind): string => `${orgId}:${kind}`;

/** Undefined if the integration is not active, or if the stored credentials cannot be opened and read. */
export async function credentialsOf(
  reader: Reader,
  secrets: SecretBox,
  { orgId, kind }: { readonly orgId: string; readonly kind: IntegrationKind },
): Promise<IntegrationCredentials | undefined> {
  const row = await integrationStore.find(reader, kind);
  if (row?.status !== 'Active' || row.sealedCredentials === null) return undefined;
  try {
    return Credentials.parse(JSON.parse(secrets.open(row.sealedCredentials, contextOf(orgId, kind))));
  } catch {
    // The caller then acts as if the organisation had not connected the vendor.
    return undefined;
  }
}

/** Lists every kind. A kind that was never connected is inactive. */
export async function listIntegrations(reader: Reader) {
  const rows = await integrationStore.all(reader);
  return INTEGRATION_KINDS.map((kind) =>
    integrationView(
      kind,
      rows.find((row) => row.kind === kind),
    ),
  );
}

export const getIntegration = async (reader: Reader, kind: IntegrationKind) =>
  integrationView(kind, await integrationStore.find(reader, kind));

/**
 * Connects the vendor, or replaces the stored credentials. Throws `InvalidRequest` if the credentials do not fit this vendor.
 */
export function activateIntegration(
  { db, integrationSecrets }: Pick<Services, 'db' | 'integrationSecrets'>,
  authority: Authority,
  kind: IntegrationKind,
  credentials: IntegrationCredentials,
) {
  assertComplete(kind, credentials);
  return act(db, authority, async (tx) => {
    await integrationStore.activate(tx, kind, integrationSecrets.seal(JSON.stringify(credentials), contextOf(tx.orgId, kind)));
    return getIntegration(tx, kind);
  });
}

function assertComplete(kind: IntegrationKind, { webhookSecret }: IntegrationCredentials): void {
  if ((webhookSecret !== undefined) === SIGNS_WEBHOOKS[kind]) return;
  const path = 'body.webhookSecret';
  const message = SIGNS_WEBHOOKS[kind]
    ? 'is required: this vendor signs its webhooks'
    : 'is not used: this vendor sends no webhooks';
  throw fieldFault(path, message);
}

/** Deletes the credentials. Policies that need the vendor stay in force, and treat every query to the vendor as failed. */
export function deactivateIntegration({ db }: Pick<Services, 'db'>, authority: Authority, kind: IntegrationKind) {
  return act(db, authority, async (tx) => {
    await integrationStore.deactivate(tx, kind);
    return getIntegration(tx, kind);
  });
}

/** A workflow calls the vendor, because the API process itself does not call vendors. Throws `WrongState`, `NotReady`. */
export async function testIntegration(
  { db, dispatcher }: Pick<Services, 'db' | 'dispatcher'>,
  authority: Authority,
  kind: IntegrationKind,
): Promise<IntegrationTest> {
  await act(db, authority, async (tx) => {
    if (!(await integrationStore.isActive(tx, kind))) throw new AppError('WrongState', 'the integration is not active', { kind });
  });
  return dispatcher.execute<IntegrationTest>(authority.caller.orgId, {
    workflow: TEST_INTEGRATION,
    id: newId('integration'),
    routing: { kind, summary: `Test the credentials at ${kind}` },
    limitMs: TEST_LIMIT_MS,
  });
}
