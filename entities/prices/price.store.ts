import type { NetworkName } from '../../domain/networks';
import type { MicroPrices } from '../../domain/prices';
import type { Reader, Tx } from '../database';

/** Represents the native asset. */
export const NATIVE = '';

export type PriceKey = { readonly network: NetworkName; readonly contract: string };

/** `decimals` is null if the source does not state the decimals. */
export type KnownPrice = { readonly prices: MicroPrices; readonly decimals: number | null };

/** If `known` is absent, the source did not return a price, and the earlier price stays valid until it expires. */
export type AskedPrice = PriceKey & { readonly known?: KnownPrice & { readonly until: Date } };

type Row = {
  readonly contract: string;
  readonly usdMicro: string;
  readonly eurMicro: string | null;
  readonly decimals: number | null;
};

export const priceStore = {
  /** The prices that are valid now, by contract. */
  async valid(reader: Reader, network: NetworkName, contracts: readonly string[]): Promise<ReadonlyMap<string, KnownPrice>> {
    const rows = await reader.select<Row>(
      `SELECT contract, usd_micro::text AS "usdMicro", eur_micro::text AS "eurMicro", decimals FROM prices
       WHERE network = $1 AND contract = ANY($2) AND date_until > clock_timestamp()`,
      [network, contracts],
    );
    return new Map(
      rows.map(({ contract, usdMicro, eurMicro, decimals }) => [
        contract,
        { prices: { USD: BigInt(usdMicro), ...(eurMicro === null ? {} : { EUR: BigInt(eurMicro) }) }, decimals },
      ]),
    );
  },

  /**
   * Tokens that have had a price come first, up to `pricedMax`; all others follow, up to `othersMax`. Each group begins with the
   * token whose last price query is longest ago. The groups are separate because any caller's request can add a token to the
   * table `tokens`, and worthless tokens must not delay the prices of the first group.
   */
  async tokensToAsk(
    reader: Reader,
    networks: readonly NetworkName[],
    { pricedMax, othersMax }: { readonly pricedMax: number; readonly othersMax: number },
  ): Promise<readonly PriceKey[]> {
    const among = (isPriced: string, rowsMax: string) => `
      (SELECT t.network, t.contract FROM tokens t LEFT JOIN prices p ON p.network = t.network AND p.contract = t.contract
       WHERE t.network = ANY($1) AND ${isPriced} ORDER BY p.date_asked NULLS FIRST, t.network, t.contract LIMIT ${rowsMax})`;
    return reader.select<PriceKey>(`${among('p.usd_micro IS NOT NULL', '$2')} UNION ALL ${among('p.usd_micro IS NULL', '$3')}`, [
      networks,
      pricedMax,
      othersMax,
    ]);
  },

  async keep(tx: Tx, asked: readonly AskedPrice[]): Promise<void> {
    const rows = asked.map(({ network, contract, known }) => ({
      network,
      contract,
      usd_micro: known?.prices.USD?.toString() ?? null,
      eur_micro: known?.prices.EUR?.toString() ?? null,
      decimals: known?.decimals ?? null,
      date_until: known?.until.toISOString() ?? null,
    }));
    await tx.query(
      `INSERT INTO prices AS p (network, contract, usd_micro, eur_micro, decimals, date_until, date_asked)
       SELECT network, contract, usd_micro, eur_micro, decimals, date_until, clock_timestamp() FROM jsonb_to_recordset($1) AS r
         (network text, contract text, usd_micro numeric, eur_micro numeric, decimals integer, date_until timestamptz)
       ON CONFLICT (network, contract) DO UPDATE SET date_asked = EXCLUDED.date_asked,
         usd_micro = coalesce(EXCLUDED.usd_micro, p.usd_micro), date_until = coalesce(EXCLUDED.date_until, p.date_until),
         eur_micro = CASE WHEN EXCLUDED.usd_micro IS NULL THEN p.eur_micro ELSE EXCLUDED.eur_micro END,
         decimals = CASE WHEN EXCLUDED.usd_micro IS NULL THEN p.decimals ELSE EXCLUDED.decimals END`,
      [JSON.stringify(rows)],
    );
  },
};
