import { createConnection, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { SignerPlace } from '../../platform/signer-place';
import { clientOptions } from './tls';

/** Begins a connection. Over TLS, throws if the certificates cannot be read. */
export const dial = (place: SignerPlace): Socket =>
  'host' in place ? connectTls(clientOptions(place)) : createConnection(place.path);
