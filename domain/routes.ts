import type { IntegrationKind } from './integrations';

/** Where an organisation's work runs. */
export type Route = {
  readonly main: string;
  readonly signer: string;
  readonly chain: (network: string) => string;
  readonly vendor: (name: IntegrationKind) => string;
};

/** The queue of the workers that reach the nodes of a network; a network serves every organisation. */
export const chainQueueOf = (network: string): string => `chain-${network}`;

/** The queue of the workers that ask a vendor: a slow vendor holds up no other. */
export const vendorQueueOf = (name: IntegrationKind): string => `vendor-${name}`;

/** The route that every organisation shares today. */
export const sharedRoute: Route = { main: 'main', signer: 'signer', chain: chainQueueOf, vendor: vendorQueueOf };

/**
 * The only place that decides where an organisation's work runs (P4). Only this function changes when an organisation moves; nothing else names a
 * queue.
 */
export function routeOf(_orgId: string): Route {
  return sharedRoute;
}
