import type { NetworkName } from '../../domain/networks';
import { HIDDEN_KINDS } from '../../domain/transfers';
import type { Reader, Tx } from '../database';
import { TokenEntity } from './token.entity';

export type TokenMetadata = { readonly symbol?: string; readonly decimals: number };

/**
 * The maximum number of movements that one search reads. A wallet can have millions of movements, and they are searched each time
 * its balances are read.
 */
const MOVEMENTS_SEARCHED_MAX = 1_000;

export const tokenStore = {
  async find(reader: Reader, network: NetworkName, contract: string): Promise<TokenEntity | undefined> {
    return reader.row(TokenEntity, 'WHERE t.network = $1 AND t.contract = $2', [network, contract]);
  },

  async among(reader: Reader, network: NetworkName, contracts: readonly string[]): Promise<TokenEntity[]> {
    return reader.rows(TokenEntity, 'WHERE t.network = $1 AND t.contract = ANY($2)', [network, contracts]);
  },

  /**
   * Tokens in transfers of the wallet; the token that was pinned last comes first. If `hideAmounts` is true, returns only
   * tokens that hide their amounts; otherwise returns only the other tokens.
   */
  async usedBy(
    reader: Reader,
    walletId: string,
    { hideAmounts, tokensMax }: { readonly hideAmounts: boolean; readonly tokensMax: number },
  ): Promise<TokenEntity[]> {
    return reader.rows(
      TokenEntity,
      `WHERE (t.network, t.contract) IN (
         SELECT x.network, x.contract FROM transfers x WHERE x.wallet_id = $1 AND (x.asset_kind = ANY($4)) = $2)
       ORDER BY t.date_pinned DESC LIMIT $3`,
      [walletId, hideAmounts, tokensMax, HIDDEN_KINDS],
    );
  },

  /** Tokens with readable amounts in the newest movements of the wallet or watch; the token that was pinned last comes first. */
  async movedBy(reader: Reader, subjectId: string, tokensMax: number): Promise<TokenEntity[]> {
    return reader.rows(
      TokenEntity,
      `WHERE (t.network, t.contract) IN (
         SELECT m.network, m.contract FROM (
           SELECT network, contract, token_id, amount_units, status FROM movements WHERE subject_id = $1
           ORDER BY block_height DESC, place DESC, id DESC LIMIT $3) m
         WHERE m.status <> 'Withdrawn' AND m.contract IS NOT NULL AND m.token_id IS NULL AND m.amount_units IS NOT NULL)
       ORDER BY t.date_pinned DESC LIMIT $2`,
      [subjectId, tokensMax, MOVEMENTS_SEARCHED_MAX],
    );
  },

  /** Keeps the first values of a pinned token. */
  async pin(tx: Tx, network: NetworkName, contract: string, { symbol, decimals }: TokenMetadata): Promise<void> {
    await tx.insertOnce(TokenEntity, { network, contract, symbol: symbol ?? null, decimals });
  },
};
