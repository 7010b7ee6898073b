/** The floor's own queue that stands for one of the service's: both workers run beside each other in one measurement. */
export const floorQueueOf = (queue: string): string => `floor-${queue}`;

/** What the floors' worker writes when it polls. */
export const FLOORS_READY = 'floors ready';
