import { Client, Connection } from '@temporalio/client';
import { dataConverterOf } from './payload-codec';
import type { TemporalConfig } from './temporal-config';
import { contextInterceptor } from './temporal-context';

/** Encrypts payloads. Connects on the first call, so that an unavailable server does not delay the start. */
export function createTemporalClient({ connectionOptions, namespace }: TemporalConfig, dataKey: Uint8Array): Client {
  const connection = Connection.lazy(connectionOptions);
  return new Client({
    connection,
    namespace,
    dataConverter: dataConverterOf(dataKey, namespace),
    interceptors: { workflow: [contextInterceptor] },
  });
}
