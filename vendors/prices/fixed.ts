import { z } from 'zod';
import { MICRO_PER_UNIT } from '../../domain/amounts';
import type { Prices } from './port';

export const Money = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})(\.\d{1,6})?$/, 'must be an amount of money as a decimal string with at most six places');

export const PriceTable = z.record(
  z.string().min(1),
  z.strictObject({ native: Money.exactOptional(), tokens: z.record(z.string().min(1), Money).exactOptional() }),
);

export type PriceTable = z.output<typeof PriceTable>;

/** Prices from a table that never changes. A price that is missing or zero in the table is unknown. */
export function createFixedPrices(table: PriceTable): Prices {
  const known = new Map(Object.entries(table).flatMap(([network, prices]) => entriesOf(network, prices)));
  return {
    priceOf: async ({ network, contract }) => {
      const usdMicro = known.get(keyOf(network, contract));
      return usdMicro === undefined ? undefined : { usdMicro };
    },
  };
}

function entriesOf(network: string, { native, tokens = {} }: PriceTable[string]): [string, bigint][] {
  const priced = Object.entries(tokens).map(([contract, usd]): [string, bigint] => [keyOf(network, contract), microOf(usd)]);
  if (native !== undefined) priced.push([keyOf(network, undefined), microOf(native)]);
  // A zero price would let every amount pass under every limit.
  return priced.filter(([, usdMicro]) => usdMicro > 0n);
}

/** The key ignores case, because a contract may be written with or without its checksum. */
const keyOf = (network: string, contract: string | undefined): string =>
  contract === undefined ? network : `${network}:${contract.toLowerCase()}`;

export function microOf(money: string): bigint {
  const [whole = '0', fraction = ''] = money.split('.');
  return BigInt(whole) * MICRO_PER_UNIT + BigInt(fraction.padEnd(6, '0'));
}
