import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createDeliverer } from '../application/webhooks/delivery';
import { openStrongroomDatabase } from '../entities/data-source';
import { createLogger } from '../platform/logger';
import { createSecretBox } from '../platform/secret-box';
import { createRelay, type Relay } from '../worker/relay/relay';
import { serveParent } from './program';

export type RelayOrder =
  | {
      readonly order: 'open';
      readonly workerUrl: string;
      readonly relayUrl: string;
      readonly dataKek: string;
      /** The time that the stand-in for Temporal takes for each start or signal; 0 by default. */
      readonly carryOutMs?: number;
    }
  | { readonly order: 'start' | 'stop' };

const POOL_MAX = 16;

let create: (() => Relay) | undefined;
let relay: Relay | undefined;

/**
 * Runs only the relay, with the same parts as in the worker. A stand-in for Temporal receives the relay's starts and signals.
 */
serveParent(async (message: RelayOrder) => {
  if (message.order === 'open') {
    const { workerUrl, relayUrl, dataKek, carryOutMs = 0 } = message;
    const db = await openStrongroomDatabase({ url: workerUrl, poolMax: POOL_MAX, applicationName: 'bench-relay' });
    await db.ping();
    const secrets = createSecretBox(Buffer.from(dataKek, 'hex'), 'webhook-secrets');
    const dispatcher = {
      carryOut: async () => void (await delay(carryOutMs)),
      tryNow: async () => undefined,
      execute: () => Promise.reject(new Error('the bench executes nothing')),
    };
    create = () =>
      createRelay({
        relayUrl,
        dispatcher,
        deliverer: createDeliverer({ db, secrets, allowLoopback: true }),
        logger: createLogger('relay', 'warn'),
        holderId: randomUUID(),
      });
  } else if (message.order === 'start') {
    relay = create?.();
    relay?.start();
  } else {
    await relay?.stop();
  }
});
