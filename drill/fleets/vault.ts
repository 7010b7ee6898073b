import type { Client } from '../../local/client';
import type { Machines } from './machines';

/** An offline store with the machines of its fleet. */
export type Vault = {
  readonly orgId: string;
  readonly storeId: string;
  readonly machines: Machines;
  /** The administrator carries archives, and the approver reviews ceremonies. */
  readonly client: (user: 'admin' | 'approver') => Client;
};
