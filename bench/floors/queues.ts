/** The floor's own name for a queue of the service, because both workers run side by side in one measurement. */
export const floorQueueOf = (queue: string): string => `floor-${queue}`;

/** The line that the floors' worker writes when it polls. */
export const FLOORS_READY = 'floors ready';
