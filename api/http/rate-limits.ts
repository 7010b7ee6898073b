import type { Caller } from '../../domain/callers';
import { AppError } from '../../domain/errors';
import {
  CLASS_OF_OPERATION,
  EXACT_CLASSES,
  type Rate,
  type RateClass,
  type RateScope,
  type RateTable,
} from '../../domain/rate-limits';
import type { LimitStore, LimitUsed } from '../../entities/limits/limit.store';
import { clientNetwork } from './client-address';
import type { Operation } from './operation';
import { createRateCounts } from './rate-counts';

/** `arrive`, `known` and `named` throw `RateLimited` if a limit is used up. */
export type Passage = {
  /** Charges the request to the limit of the client's address, before any work is done. */
  readonly arrive: () => void | Promise<void>;
  /** Charges the request to the limit of the token, and then to the limit of the user. */
  readonly known: (caller: Caller) => void;
  /** Charges an unauthenticated request to the limit of the user whom the request names. */
  readonly named: (body: unknown) => Promise<void>;
  /** The headers of the limits (draft-ietf-httpapi-ratelimit-headers). Empty if no limit applied to the request. */
  readonly headers: () => Readonly<Record<string, string>>;
};

/** The limits also cover the requests to the other API processes. */
export type RateLimits = {
  readonly passage: (operation: Operation, address: string) => Passage;
  readonly close: () => Promise<void>;
};

type Options = {
  readonly table: RateTable;
  readonly store: Pick<LimitStore, 'add' | 'take'>;
  readonly digest: (key: string) => string;
  readonly onError: (error: unknown) => void;
};

type Counted = LimitUsed & { readonly policy: string; readonly rate: Rate };

const windowMsOf = ({ seconds }: Rate): number => seconds * 1_000;
const costMsOf = (rate: Rate): number => windowMsOf(rate) / rate.requests;
const secondsOf = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000));

export function createRateLimits({ table, store, digest, onError }: Options): RateLimits {
  const counts = createRateCounts({ store, digest, onError });

  const passage = (operation: Operation, address: string): Passage => {
    const name = rateClassOf(operation);
    const rates = table[name];
    let nearest: Counted | undefined;

    const note = (scope: RateScope, rate: Rate, used: LimitUsed): void => {
      const counted = { ...used, rate, policy: `${name}-${scope}`.toLowerCase() };
      if (nearest === undefined || !used.taken || used.fullMs / windowMsOf(rate) > nearest.fullMs / windowMsOf(nearest.rate)) {
        nearest = counted;
      }
      if (!used.taken) throw new AppError('RateLimited', 'Too many requests', { retryAfterSeconds: retryAfter(counted) });
    };
    const count = (scope: RateScope, id: string): void => {
      const rate = rates[scope];
      if (rate) note(scope, rate, counts.take(`${name}/${scope}/${id}`, costMsOf(rate), windowMsOf(rate)));
    };
    const countExactly = async (scope: RateScope, id: string): Promise<void> => {
      const rate = rates[scope];
      if (!rate) return;
      const use = { key: digest(`${name}/${scope}/${id}`), costMs: costMsOf(rate), windowMs: windowMsOf(rate) };
      const [used = { taken: false, fullMs: use.windowMs }] = await store.take([use]);
      note(scope, rate, used);
    };

    return {
      arrive: () => {
        const network = clientNetwork(address);
        return EXACT_CLASSES.includes(name) ? countExactly('address', network) : count('address', network);
      },
      known: ({ userId, tokenId }) => {
        // A request that the token's limit refuses must not use up the user's limit, which all tokens of the user share.
        count('token', tokenId);
        count('user', userId);
      },
      named: async (body) => {
        const id = rates.named && nameIn(body);
        if (id !== undefined) await countExactly('named', id);
      },
      headers: () => (nearest === undefined ? {} : headersOf(nearest)),
    };
  };
  return { passage, close: counts.close };
}

export function rateClassOf({ id, method, access }: Pick<Operation, 'id' | 'method' | 'access'>): RateClass {
  const own = CLASS_OF_OPERATION[id];
  if (own !== undefined) return own;
  if (access !== undefined) return 'SignIn';
  return method === 'get' ? 'Read' : 'Write';
}

/** Returns the key of the limit of the user whom the body names. A user who does not exist has a limit like any other user. */
function nameIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('orgId' in body) || !('username' in body)) return undefined;
  return JSON.stringify([body.orgId, body.username]).toLowerCase();
}

/** The number of seconds until there is room for one request. */
const retryAfter = ({ fullMs, rate }: Counted): number => secondsOf(fullMs + costMsOf(rate) - windowMsOf(rate));

function headersOf(counted: Counted): Readonly<Record<string, string>> {
  const { policy, rate, fullMs, taken } = counted;
  const left = taken ? Math.max(0, Math.floor((windowMsOf(rate) - fullMs) / costMsOf(rate))) : 0;
  return {
    'RateLimit-Policy': `"${policy}";q=${rate.requests};w=${rate.seconds}`,
    RateLimit: `"${policy}";r=${left};t=${secondsOf(fullMs)}`,
    ...(taken ? {} : { 'Retry-After': String(retryAfter(counted)) }),
  };
}
