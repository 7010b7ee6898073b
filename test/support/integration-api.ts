import { type Person, startApi } from './api';
import { INTEGRATION_KEK } from './vendors';

/** The real API. Each call of `admin` creates an organisation with a full administrator. */
export async function startIntegrationApi(temporalAddress?: string) {
  const api = await startApi(temporalAddress === undefined ? {} : { dataKek: INTEGRATION_KEK.toString('hex'), temporalAddress });
  return {
    db: api.database.db,
    admin: async (): Promise<Person> => api.createPerson(await api.createOrganization()),
    colleague: (orgId: string, operations: readonly string[]): Promise<Person> => api.createPerson(orgId, { operations }),
    close: () => api.close(),
  };
}

export type IntegrationApi = Awaited<ReturnType<typeof startIntegrationApi>>;
