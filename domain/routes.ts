import type { IntegrationKind } from './integrations';

/** Where the work of an organisation runs. */
export type Route = {
  readonly main: string;
  readonly signer: string;
  readonly chain: (network: string) => string;
  readonly vendor: (name: IntegrationKind) => string;
};

/** The queue of the workers that reach the nodes of a network; a network serves every organisation. */
export const chainQueueOf = (network: string): string => `chain-${network}`;

/** The queue of the workers that ask a vendor: one that is slow holds up nobody else. */
export const vendorQueueOf = (name: IntegrationKind): string => `vendor-${name}`;

/** The route that every organisation shares today. */
export const sharedRoute: Route = { main: 'main', signer: 'signer', chain: chainQueueOf, vendor: vendorQueueOf };

/**
 * The one place that says where an organisation's work runs (P4). Moving an organisation elsewhere is a change of this
 * function alone; nothing else names a queue.
 */
export function routeOf(_orgId: string): Route {
  return sharedRoute;
}
