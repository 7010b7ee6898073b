import { createHash } from 'node:crypto';
import type { Caller } from '../../domain/callers';
import { AppError } from '../../domain/errors';
import { formatId } from '../../domain/ids';
import type { IdentityServices } from './identity-services';

type Pages = Pick<IdentityServices, 'relyingParty'>;

const ID_CHARS = 26;

/**
 * The pages from which people of an organisation sign (the setting ORIGINS). The published interface marks applications as
 * deprecated. The id of an origin never changes.
 */
export function listApplications({ relyingParty: { id: expectedRpId, name, origins } }: Pages, { orgId }: Pick<Caller, 'orgId'>) {
  return origins.map((expectedOrigin) => ({
    appId: idOf(orgId, expectedOrigin),
    kind: 'ClientSideApplication' as const,
    orgId,
    expectedRpId,
    name,
    isActive: true,
    expectedOrigin,
    permissionAssignments: [],
    accessTokens: [],
  }));
}

/** Throws `NotFound`. */
export function getApplication(pages: Pages, caller: Pick<Caller, 'orgId'>, appId: string) {
  // Earlier releases showed the same id with the prefix `app`, and clients may have stored the earlier form.
  const shown = appId.replace(/^app-/, 'ap-');
  const found = listApplications(pages, caller).find((one) => one.appId === shown);
  if (!found) throw new AppError('NotFound', 'application not found', { appId });
  return found;
}

const idOf = (orgId: string, origin: string): string =>
  formatId(
    'application',
    createHash('sha256')
      .update(JSON.stringify([orgId, origin]))
      .digest('hex')
      .slice(0, ID_CHARS),
  );
