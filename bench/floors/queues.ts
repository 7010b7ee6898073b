/**
 * Returns the name of the queue that the floors (`bench/README.md`) use in place of the service's `queue`. The names differ,
 * because the floors' worker and the service's worker run at the same time.
 */
export const floorQueueOf = (queue: string): string => `floor-${queue}`;

/** The floors' worker writes this line when the worker starts to poll. */
export const FLOORS_READY = 'floors ready';
