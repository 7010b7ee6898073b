/** Where the work of an organisation runs. */
export type Route = {
  readonly namespace: string;
  readonly main: string;
  readonly signer: string;
  readonly chain: (network: string) => string;
};

/**
 * The one place that names a task queue or namespace (P4). Today every organisation shares them; moving one elsewhere is a
 * change of this function alone.
 */
export function routeOf(_orgId: string): Route {
  return { namespace: 'default', main: 'main', signer: 'signer', chain: (network) => `chain-${network}` };
}
