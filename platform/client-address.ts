import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** The network address of the current request; empty for work outside any request. */
export const clientAddress = (): string => storage.getStore() ?? '';

/** Runs the work, and everything that the work starts, for a request from this address. */
export const forClientAddress = <T>(address: string, work: () => T): T => storage.run(address, work);
