import type { NetworkName } from '../../domain/networks';
import { type MicroPrices, netWorthOf, type Quotes, quotesOf } from '../../domain/prices';
import { type AssetKind, FUNGIBLE_KINDS } from '../../domain/transfers';
import type { Reader } from '../../entities/database';
import { NATIVE, priceStore } from '../../entities/prices/price.store';
import { type AssetBalance, UNREADABLE } from '../wallets/asset-info';
import { type QuotesView, quotesView } from './quote-view';

export type AskedPriceOf = { readonly contract: string | null; readonly decimals: number };

type Asset = {
  readonly assetKind: AssetKind | 'Call';
  readonly contract: string | null;
  readonly assetDecimals: number | null;
};

/** A unique token has no unit price, and the effect of a call is unknown. */
const QUOTED_KINDS: readonly Asset['assetKind'][] = ['Native', ...FUNGIBLE_KINDS];

export async function quotesNow(reader: Reader, network: NetworkName, asset: Asset): Promise<Quotes | null> {
  const { assetKind, contract, assetDecimals: decimals } = asset;
  if (decimals === null || !QUOTED_KINDS.includes(assetKind)) return null;
  const [prices = {}] = await pricesOf(reader, network, [{ contract, decimals }]);
  const quotes = quotesOf(prices);
  return Object.keys(quotes).length === 0 ? null : quotes;
}

export async function withWorth(
  reader: Reader,
  network: NetworkName,
  assets: readonly AssetBalance[],
): Promise<{ readonly assets: (AssetBalance & { readonly quotes?: QuotesView })[]; readonly netWorth?: QuotesView }> {
  const asked = assets.map((asset) => ({ contract: contractOf(asset), decimals: asset.decimals }));
  const prices = await pricesOf(reader, network, asked);
  const priced = assets.map((asset, index) => ({ asset, prices: prices[index] ?? {} }));
  const worth = netWorthOf(
    priced.map(({ asset, prices: known }) => ({ balanceUnits: unitsOf(asset), decimals: asset.decimals, prices: known })),
  );
  const netWorth = quotesView(worth);
  return {
    assets: priced.map(({ asset, prices: known }) => {
      const quotes = quotesView(quotesOf(known));
      return { ...asset, ...(quotes === undefined ? {} : { quotes }) };
    }),
    ...(netWorth === undefined ? {} : { netWorth }),
  };
}

/**
 * If the price source and the asset differ in their decimals, the price would be wrong by powers of ten, so the price is treated
 * as unknown (S13).
 */
export async function pricesOf(
  reader: Reader,
  network: NetworkName,
  asked: readonly AskedPriceOf[],
): Promise<readonly MicroPrices[]> {
  const keys = asked.map(({ contract }) => contract ?? NATIVE);
  const known = await priceStore.valid(reader, network, keys);
  return asked.map(({ decimals }, index) => {
    const price = known.get(keys[index] ?? NATIVE);
    return price === undefined || (price.decimals !== null && price.decimals !== decimals) ? {} : price.prices;
  });
}

function contractOf(asset: AssetBalance): string | null {
  if (asset.kind === 'Native') return null;
  return 'mint' in asset ? asset.mint : asset.contract;
}

const unitsOf = ({ balance }: AssetBalance): bigint | null => (balance === UNREADABLE ? null : BigInt(balance));
