import type { IntegrationKind } from './integrations';

/** The task queues on which an organisation's work runs. */
export type Route = {
  readonly main: string;
  readonly signer: string;
  readonly chain: (network: string) => string;
  readonly vendor: (name: IntegrationKind) => string;
};

/** The task queue of the workers that query the nodes of a network, shared by all organisations. */
export const chainQueueOf = (network: string): string => `chain-${network}`;

/**
 * The task queue of the workers that query a vendor. Each vendor has its own queue, so that a slow vendor delays no other
 * vendor.
 */
export const vendorQueueOf = (name: IntegrationKind): string => `vendor-${name}`;

/** The route that every organisation shares today. */
export const sharedRoute: Route = { main: 'main', signer: 'signer', chain: chainQueueOf, vendor: vendorQueueOf };

/**
 * Decides where an organisation's work runs (P4). This is the only function that names task queues, so moving an organisation
 * changes nothing else.
 */
export function routeOf(_orgId: string): Route {
  return sharedRoute;
}
