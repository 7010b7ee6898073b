import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type VendorReply, vendorPart } from './part';

/** The vendor signs its callbacks with this secret, unless its script sets another secret. */
export const SIMULATED_WEBHOOK_SECRET = 'simulated-webhook-secret';

const OLD_SECONDS = 301;
const CALLBACK_LIMIT_MS = 5_000;

const Delay = z.int().min(0).max(3_600_000);
const Script = z.strictObject({
  /** False makes the vendor refuse every message that is submitted for validation. */
  valid: z.boolean().default(true),
  /** The delay between submission and delivery. With null, or without a counterparty, the vendor never delivers the message. */
  deliveredAfterMs: Delay.nullable().default(100),
  /** The decision of the counterparty, or of the vendor for a message without a counterparty. */
  outcome: z.enum(['Accepted', 'Declined', 'Invalid', 'Silent']).default('Accepted'),
  answeredAfterMs: Delay.default(300),
  /**
   * With `None` the service has to poll. With `WrongSignature` or `Old` the service must refuse the callbacks. With `Twice`
   * each valid callback comes twice.
   */
  callbacks: z.enum(['Signed', 'None', 'WrongSignature', 'Old', 'Twice']).default('Signed'),
  webhookSecret: z.string().default(SIMULATED_WEBHOOK_SECRET),
});
type Script = z.output<typeof Script>;

const Body = z.looseObject({
  reference: z.string(),
  beneficiaryVASPdid: z.string().optional(),
  callbackUrl: z.url().optional(),
  originator: z.record(z.string(), z.unknown()),
  beneficiary: z.record(z.string(), z.unknown()),
});
type Moment = { readonly status: string; readonly afterMs: number };
type Message = { readonly submittedMs: number; readonly moments: readonly Moment[] };

const PATH = /^\/v1\/messages\/([\w-]+)$/;

/**
 * The vendor sends personal data to the counterparty's service and reports the counterparty's decision (docs/travel-rule.md).
 */
export function createTravelRule() {
  const messages = new Map<string, Message>();
  const timers = new Set<NodeJS.Timeout>();

  const submit = (body: z.output<typeof Body>, script: Script): void => {
    const moments = momentsOf(body.beneficiaryVASPdid !== undefined, script);
    messages.set(body.reference, { submittedMs: Date.now(), moments });
    const { callbackUrl } = body;
    if (callbackUrl === undefined || script.callbacks === 'None') return;
    for (const { status, afterMs } of moments) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        void tell(callbackUrl, { id: randomUUID(), reference: body.reference, status }, script);
      }, afterMs);
      timers.add(timer.unref());
    }
  };

  return vendorPart({
    name: 'travel-rule',
    title: 'Travel rule: what the counterparty says',
    Script,
    answer: ({ method, path, body }, script): VendorReply | undefined => {
      const [, reference] = PATH.exec(path) ?? [];
      if (method === 'GET' && reference !== undefined) {
        const message = messages.get(reference);
        return message && { status: 200, body: { status: statusOf(message) } };
      }
      const isValidation = method === 'POST' && path === '/v1/messages/validate';
      const isSubmission = method === 'PUT' && reference !== undefined;
      if (!isValidation && !isSubmission) return undefined;
      const read = Body.safeParse(body);
      if (!read.success) return { status: 400, body: { error: 'BadRequest' } };
      if (isValidation) return { status: 200, body: { valid: script.valid } };
      if (!messages.has(read.data.reference)) submit(read.data, script);
      const message = messages.get(read.data.reference);
      return message && { status: 200, body: { id: `sim-${read.data.reference}`, status: statusOf(message) } };
    },
    reset: () => {
      messages.clear();
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  });
}

function momentsOf(isCustodial: boolean, { deliveredAfterMs, outcome, answeredAfterMs }: Script): readonly Moment[] {
  return [
    ...(isCustodial && deliveredAfterMs !== null ? [{ status: 'Delivered', afterMs: deliveredAfterMs }] : []),
    ...(outcome === 'Silent' ? [] : [{ status: outcome, afterMs: answeredAfterMs }]),
  ].sort((a, b) => a.afterMs - b.afterMs);
}

function statusOf({ submittedMs, moments }: Message): string {
  const passed = moments.filter(({ afterMs }) => submittedMs + afterMs <= Date.now());
  return passed.at(-1)?.status ?? 'Submitted';
}

/** Sends the callback, and ignores the response. */
async function tell(
  url: string,
  callback: Readonly<Record<string, string>>,
  { callbacks, webhookSecret }: Script,
): Promise<void> {
  const body = JSON.stringify(callback);
  const seconds = Math.floor(Date.now() / 1_000) - (callbacks === 'Old' ? OLD_SECONDS : 0);
  const secret = callbacks === 'WrongSignature' ? `not-${webhookSecret}` : webhookSecret;
  const headers = {
    'content-type': 'application/json',
    'x-travel-rule-timestamp': String(seconds),
    'x-travel-rule-signature': createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex'),
  };
  const send = () =>
    fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.timeout(CALLBACK_LIMIT_MS) });
  // A lost callback is not repeated, so that the service has to poll.
  await send().catch(() => undefined);
  if (callbacks === 'Twice') await send().catch(() => undefined);
}
