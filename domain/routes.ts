import type { IntegrationKind } from './integrations';

export type Route = {
  readonly main: string;
  readonly signer: string;
  readonly chain: (network: string) => string;
  readonly vendor: (name: IntegrationKind) => string;
};

/** All organisations share this queue. */
export const chainQueueOf = (network: string): string => `chain-${network}`;

/** Each vendor has its own queue, so that a slow vendor does not delay other vendors. */
export const vendorQueueOf = (name: IntegrationKind): string => `vendor-${name}`;

export const sharedRoute: Route = { main: 'main', signer: 'signer', chain: chainQueueOf, vendor: vendorQueueOf };

/**
 * Decides where an organisation's work runs (P4). Only this function chooses the queues of an organisation, so moving an
 * organisation changes nothing else.
 */
export function routeOf(_orgId: string): Route {
  return sharedRoute;
}
