import { z } from 'zod';
import { Money, microOf } from './fixed';
import type { Price, PricedAsset, Prices } from './port';

/** A source's answer for one asset (docs/prices.md). Further members are allowed and ignored. */
const Answer = z.object({
  usd: Money,
  /** Only for display, so an unreadable euro price does not invalidate the answer. */
  eur: Money.optional().catch(undefined),
  decimals: z.int().min(0).max(255).exactOptional(),
  /** The time at which the price was valid. */
  date: z.iso.datetime({ offset: true }),
});

/** `token` is sent as a bearer token. */
export type PriceSource = { readonly name: string; readonly url: string; readonly token?: string | undefined };

type Options = {
  readonly source: PriceSource;
  readonly timeoutMs: number;
  /** An older price is treated as missing. */
  readonly ageMaxMs: number;
  /** Receives a fault in our own words, for the operator. */
  readonly onFault: (source: string, fault: string) => void;
};

const ANSWER_BYTES_MAX = 16 * 1024;
/** How far a source's clock may be ahead of our clock. A later date would hide the real age of a price. */
const AHEAD_MAX_MS = 60_000;
const NOT_FOUND = 404;
const TOO_LARGE = 'an answer that is too large';

/**
 * A price is unknown if there is no reply, or if the reply is an error or unreadable. A price is also unknown if it is zero, too
 * old, or dated too far in the future.
 */
export function createHttpPrices({ source, timeoutMs, ageMaxMs, onFault }: Options): Prices {
  const ask = async (asset: PricedAsset): Promise<Price | undefined> => {
    const response = await fetch(addressOf(source.url, asset), {
      headers: { accept: 'application/json', ...(source.token === undefined ? {} : { authorization: `Bearer ${source.token}` }) },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status !== 200) {
      await response.body?.cancel();
      if (response.status !== NOT_FOUND) onFault(source.name, `status ${response.status}`);
      return undefined;
    }
    const answer = Answer.safeParse(JSON.parse(await textOf(response)));
    if (!answer.success) {
      onFault(source.name, `an answer that does not match docs/prices.md at ${answer.error.issues[0]?.path.join('.') ?? ''}`);
      return undefined;
    }
    const { usd, eur, decimals, date } = answer.data;
    const ageMs = Date.now() - Date.parse(date);
    if (ageMs > ageMaxMs || ageMs < -AHEAD_MAX_MS) {
      onFault(source.name, ageMs > 0 ? 'a price that is too old' : 'a price from the future');
      return undefined;
    }
    const usdMicro = microOf(usd);
    const eurMicro = eur === undefined ? 0n : microOf(eur);
    // A zero price would let every amount pass under every limit.
    if (usdMicro === 0n) return undefined;
    return {
      usdMicro,
      ...(eurMicro === 0n ? {} : { eurMicro }),
      ...(decimals === undefined ? {} : { decimals }),
      date: new Date(date),
    };
  };
  return {
    priceOf: (asset) =>
      ask(asset).catch((error: unknown) => {
        onFault(source.name, faultOf(error));
        return undefined;
      }),
  };
}

function addressOf(url: string, { network, contract }: PricedAsset): URL {
  const address = new URL(url);
  address.searchParams.set('network', network);
  if (contract !== undefined) address.searchParams.set('contract', contract);
  return address;
}

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(TOO_LARGE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The error's own message is left out, because the message may repeat the source's address, which may contain a key. */
function faultOf(error: unknown): string {
  const { name, message } = error as Partial<Error>;
  if (name === 'SyntaxError') return 'an answer that is not JSON';
  if (name === 'TimeoutError') return 'no answer in time';
  return message === TOO_LARGE ? TOO_LARGE : 'no connection';
}
