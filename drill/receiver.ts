import { z } from 'zod';
import { type LoopbackReceiver, receiveOnLoopback } from '../local/loopback-receiver';

const Envelope = z.object({ id: z.string(), kind: z.string(), deliveryAttempt: z.number(), retryOf: z.string().optional() });

/** `text` is the body as it arrived. */
export type Delivery = z.output<typeof Envelope> & { readonly text: string };

/** Records all deliveries in the order of arrival. The receiver runs in the process of the drill, which is never killed. */
export type Receiver = LoopbackReceiver & {
  readonly received: readonly Delivery[];
  /** `statusOf` returns the HTTP status of the reply to a delivery. Before the first call the status is 200. */
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
