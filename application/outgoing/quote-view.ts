import { FIATS, type Fiat, type Quotes } from '../../domain/prices';

export type QuotesView = { readonly [F in Fiat]?: number };

/** The interface requires JSON numbers, so each exact price is rounded to the nearest JavaScript number. */
export function quotesView(quotes: Quotes | null): QuotesView | undefined {
  const known = FIATS.flatMap((fiat) => {
    const quote = quotes?.[fiat];
    return quote === undefined ? [] : [[fiat, Number(quote)] as const];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
