import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** Empty for work outside any request. */
export const clientAddress = (): string => storage.getStore() ?? '';

export const forClientAddress = <T>(address: string, work: () => T): T => storage.run(address, work);
