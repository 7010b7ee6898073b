import { Client, Connection } from '@temporalio/client';
import { dataConverterOf } from './payload-codec';
import type { TemporalConfig } from './temporal-config';
import { contextInterceptor } from './temporal-context';

/** A client whose payloads are encrypted. It connects with its first call, so that a server that is down delays nobody's start. */
export function createTemporalClient({ connectionOptions, namespace }: TemporalConfig, dataKey: Uint8Array): Client {
  const connection = Connection.lazy(connectionOptions);
  return new Client({
    connection,
    namespace,
    dataConverter: dataConverterOf(dataKey, namespace),
    interceptors: { workflow: [contextInterceptor] },
  });
}
