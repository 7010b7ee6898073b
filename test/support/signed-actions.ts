import { UserActionEntity } from '../../entities/user-actions/user-action.entity';
import type { WalletApi } from './wallet-api';

/** The id of an action that the administrator has signed for this POST. The action is consumed, but no request was made. */
export async function consumedAction({ admin, api, orgId }: WalletApi, path: string, body: object): Promise<string> {
  const { db } = api.database;
  await admin.client.userAction('POST', path, JSON.stringify(body));
  const [latest] = await db.read(orgId).rows(UserActionEntity, 'WHERE t.path = $1 ORDER BY t.id DESC LIMIT 1', [path]);
  const id = latest?.id ?? '';
  await db.withOrg(orgId, (tx) => tx.query('UPDATE user_actions SET date_consumed = now() WHERE id = $1', [id]));
  return id;
}
