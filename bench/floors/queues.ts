/**
 * The floor worker's name for a queue of the service. The names differ, because both workers run side by side in one
 * measurement.
 */
export const floorQueueOf = (queue: string): string => `floor-${queue}`;

/** The line that the floors' worker writes when it polls. */
export const FLOORS_READY = 'floors ready';
