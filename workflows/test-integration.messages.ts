import type { IntegrationKind } from '../domain/integrations';

/** The workflow's type name: histories hold it. */
export const TEST_INTEGRATION = 'testIntegration';

export type TestIntegrationInput = { readonly orgId: string; readonly routing: { readonly kind: IntegrationKind } };
