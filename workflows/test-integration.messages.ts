import type { IntegrationKind } from '../domain/integrations';

/** The workflow's type name. It must not change, because histories contain it. */
export const TEST_INTEGRATION = 'testIntegration';

export type TestIntegrationInput = { readonly orgId: string; readonly routing: { readonly kind: IntegrationKind } };
