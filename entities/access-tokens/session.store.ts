import type { Tx } from '../database';

type Owned = { readonly userId: string; readonly tokenId: string };

export const sessionStore = {
  async end(tx: Tx, { userId, tokenId }: Owned): Promise<void> {
    await endWhere(tx, userId, 't.id = $3', tokenId);
  },

  /** Ends all sessions of the user. Tokens of programs stay valid. */
  async endAll(tx: Tx, userId: string): Promise<void> {
    await endWhere(tx, userId, '$3::text IS NULL', null);
  },

  async endOpenedBy(
    tx: Tx,
    { userId, credentialUuid }: Pick<Owned, 'userId'> & { readonly credentialUuid: string },
  ): Promise<void> {
    await endWhere(tx, userId, 't.opened_by = $3', credentialUuid);
  },
};

async function endWhere(tx: Tx, userId: string, condition: string, value: string | null): Promise<void> {
  await tx.query(
    `UPDATE access_tokens t SET is_active = false, date_removed = clock_timestamp()
     WHERE t.org_id = $1 AND t.user_id = $2 AND t.kind = 'Token' AND t.date_removed IS NULL AND ${condition}`,
    [tx.orgId, userId, value],
  );
}
