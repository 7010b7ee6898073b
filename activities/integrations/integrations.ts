import { credentialsOf } from '../../application/integrations/integrations';
import type { IntegrationKind, IntegrationTest } from '../../domain/integrations';
import type { Database } from '../../entities/database';
import type { SecretBox } from '../../platform/secret-box';
import { readAccount } from '../../vendors/account';
import type { VendorUrls } from '../../vendors/call';
import { VendorError } from '../../vendors/failure';

export type IntegrationDependencies = {
  readonly db: Database;
  readonly integrationSecrets: SecretBox;
  readonly vendorUrls: VendorUrls;
};

export function createIntegrationActivities({ db, integrationSecrets, vendorUrls }: IntegrationDependencies) {
  return {
    /** Writes nothing. */
    async pingVendor({ orgId, kind }: { readonly orgId: string; readonly kind: IntegrationKind }): Promise<IntegrationTest> {
      const baseUrl = vendorUrls[kind];
      if (baseUrl === undefined) return { ok: false, failure: 'NotConfigured' };
      const credentials = await credentialsOf(db.read(orgId), integrationSecrets, { orgId, kind });
      if (!credentials) return { ok: false, failure: 'NotConnected' };
      try {
        await readAccount({ baseUrl, apiKey: credentials.apiKey });
        return { ok: true };
      } catch (error) {
        if (!(error instanceof VendorError)) throw error;
        return { ok: false, failure: error.failure };
      }
    },
  };
}

export type IntegrationActivities = ReturnType<typeof createIntegrationActivities>;
