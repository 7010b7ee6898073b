import type { IntegrationKind } from '../domain/integrations';

/** Histories contain the name, so the name must not change. */
export const TEST_INTEGRATION = 'testIntegration';

export type TestIntegrationInput = { readonly orgId: string; readonly routing: { readonly kind: IntegrationKind } };
