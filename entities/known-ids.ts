import type { Reader } from './database';

export async function knownIds(
  reader: Reader,
  table: 'wallets' | 'permissions' | 'policies',
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await reader.select<{ id: string }>(`SELECT id FROM ${table} WHERE id = ANY($1)`, [ids]);
  return new Set(rows.map(({ id }) => id));
}
