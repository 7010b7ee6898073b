import { z } from 'zod';
import { MICRO_PER_UNIT } from '../../domain/amounts';
import type { Prices } from './port';

/** An amount of money as a decimal string with at most six places. */
export const Money = z
  .string()
  .regex(/^(0|[1-9]\d{0,14})(\.\d{1,6})?$/, 'must be an amount of money as a decimal string with at most six places');

export const PriceTable = z.record(
  z.string().min(1),
  z.strictObject({ native: Money.exactOptional(), tokens: z.record(z.string().min(1), Money).exactOptional() }),
);

export type PriceTable = z.output<typeof PriceTable>;

/** Creates prices from a table that never changes. A price that is missing in the table, or is zero there, is unknown. */
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

/** Returns the key of an asset. The key ignores case, because a contract may be written with or without its checksum. */
const keyOf = (network: string, contract: string | undefined): string =>
  contract === undefined ? network : `${network}:${contract.toLowerCase()}`;

/** Converts an amount of money to micro-units. */
export function microOf(money: string): bigint {
  const [whole = '0', fraction = ''] = money.split('.');
  return BigInt(whole) * MICRO_PER_UNIT + BigInt(fraction.padEnd(6, '0'));
}
