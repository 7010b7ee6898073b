import type { Reader, Tx } from '../database';
import { PermissionEntity } from './permission.entity';

type NewPermission = Pick<PermissionEntity, 'id' | 'name' | 'operations' | 'isManaged'>;
export type PermissionContent = Pick<PermissionEntity, 'name' | 'operations' | 'status'>;
type Page = { readonly after: string | undefined; readonly limit: number };

export const permissionStore = {
  /** Returns false if any permission has this name, even an archived one. */
  async add(tx: Tx, permission: NewPermission): Promise<boolean> {
    return tx.insertOnce(PermissionEntity, { orgId: tx.orgId, status: 'Active', version: 1, ...permission });
  },

  async find(reader: Reader, id: string): Promise<PermissionEntity | undefined> {
    return reader.row(PermissionEntity, 'WHERE t.id = $1', [id]);
  },

  async named(reader: Reader, name: string): Promise<PermissionEntity | undefined> {
    return reader.row(PermissionEntity, 'WHERE t.name = $1', [name]);
  },

  async lock(tx: Tx, id: string): Promise<PermissionEntity | undefined> {
    return tx.row(PermissionEntity, 'WHERE t.id = $1 FOR UPDATE', [id]);
  },

  /** Newest first, plus one row if there is a next page. */
  async page(reader: Reader, { after, limit }: Page): Promise<PermissionEntity[]> {
    return reader.rows(PermissionEntity, 'WHERE ($1::text IS NULL OR t.id < $1) ORDER BY t.id DESC LIMIT $2', [
      after ?? null,
      limit + 1,
    ]);
  },

  /** Changes the content and raises the version. */
  async change(tx: Tx, { id, version }: PermissionEntity, content: PermissionContent): Promise<void> {
    await tx.update(PermissionEntity, { id }, { ...content, version: version + 1, dateUpdated: await tx.clock() });
  },
};
