/**
 * Returns the name of the floor worker's queue for a queue of the service. The two names differ, because the floor worker and
 * the service's worker run at the same time.
 */
export const floorQueueOf = (queue: string): string => `floor-${queue}`;

/** The line that the floors' worker writes when it polls. */
export const FLOORS_READY = 'floors ready';
