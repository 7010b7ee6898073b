/**
 * The name of the floors' queue (`bench/README.md`) that stands for `queue` of the service. The names differ, because the
 * floors' worker and the service's worker run at the same time.
 */
export const floorQueueOf = (queue: string): string => `floor-${queue}`;

/** The line that the floors' worker writes when it polls. */
export const FLOORS_READY = 'floors ready';
