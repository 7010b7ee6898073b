import { z } from 'zod';
import { type LoopbackReceiver, receiveOnLoopback } from '../local/loopback-receiver';

const Envelope = z.object({ id: z.string(), kind: z.string(), deliveryAttempt: z.number(), retryOf: z.string().optional() });

/** One delivery as it arrived, in the order of arrival. */
export type Delivery = z.output<typeof Envelope> & { readonly text: string };

/** A receiver of webhooks that outlives every kill and records all deliveries. */
export type Receiver = LoopbackReceiver & {
  readonly received: readonly Delivery[];
  /** The HTTP status for each delivery from now on; 200 by default. */
  readonly answerWith: (statusOf: (delivery: Delivery) => number) => void;
};

export async function startReceiver(): Promise<Receiver> {
  const received: Delivery[] = [];
  let statusOf: (delivery: Delivery) => number = () => 200;
  const receiver = await receiveOnLoopback(({ raw }) => {
    const text = raw.toString('utf8');
    const delivery = { ...Envelope.parse(JSON.parse(text)), text };
    received.push(delivery);
    return statusOf(delivery);
  });
  return {
    ...receiver,
    received,
    answerWith: (next) => {
      statusOf = next;
    },
  };
}
