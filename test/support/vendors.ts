import type { IntegrationKind } from '../../domain/integrations';
import type { Database } from '../../entities/database';
import { integrationStore } from '../../entities/integrations/integration.store';
import { vendorParts } from '../../local/vendors/main';
import { serveVendors } from '../../local/vendors/server';
import { createSecretBox } from '../../platform/secret-box';
import { STAND_KEK } from './stand';

export const INTEGRATION_KEK = STAND_KEK;
export const integrationSecrets = createSecretBox(INTEGRATION_KEK, 'integrations');
export const API_KEY = 'key-of-the-vendor-0123456789';

/** The vendors that an organisation connects, and the vendor that the operator configures for a network. */
type Simulated = IntegrationKind | 'ConfidentialAmounts';

const NAMES: Readonly<Record<Simulated, string>> = {
  KytA: 'kyt-a',
  KytB: 'kyt-b',
  TravelRule: 'travel-rule',
  ConfidentialAmounts: 'confidential-amounts',
};

type Seen = { readonly method: string; readonly path: string; readonly body?: Readonly<Record<string, unknown>> };

/** Talks to a server of simulated vendors, here or in a running service. */
export const vendorsAt = (url: string) => ({
  url: (kind: Simulated): string => `${url}/${NAMES[kind]}`,
  tell: async (kind: Simulated, instruction: unknown): Promise<void> => {
    const response = await fetch(`${url}/scripts/${NAMES[kind]}`, { method: 'PUT', body: JSON.stringify(instruction) });
    if (!response.ok) throw new Error(`the instruction was refused: ${await response.text()}`);
  },
  forget: async (kind: Simulated): Promise<void> => {
    await fetch(`${url}/scripts/${NAMES[kind]}`, { method: 'DELETE' });
  },
  /** The requests that the vendor has received, newest first. */
  asked: async (kind: Simulated): Promise<readonly Seen[]> => {
    const response = await fetch(`${url}/requests/${NAMES[kind]}`);
    return ((await response.json()) as { items: Seen[] }).items;
  },
});

/** Starts a server with every simulated vendor. */
export async function startVendors() {
  const server = await serveVendors({ parts: vendorParts(), port: 0 });
  const { url } = server;
  return { ...vendorsAt(url), base: url, close: () => server.close() };
}

export type Vendors = Awaited<ReturnType<typeof startVendors>>;

/** Connects the organisation with credentials that the simulated vendors accept. */
export async function connectVendor(db: Database, orgId: string, kind: IntegrationKind, apiKey = API_KEY): Promise<void> {
  const sealed = integrationSecrets.seal(JSON.stringify({ apiKey }), `${orgId}:${kind}`);
  await db.withOrg(orgId, (tx) => integrationStore.activate(tx, kind, sealed));
}
