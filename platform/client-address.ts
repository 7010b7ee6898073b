import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/** The network address that the request at hand came from; empty for work that no request asked for. */
export const clientAddress = (): string => storage.getStore() ?? '';

/** Does the work, and all that it begins, for a request from this address. */
export const forClientAddress = <T>(address: string, work: () => T): T => storage.run(address, work);
