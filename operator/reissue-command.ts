import { z } from 'zod';
import { beginReissue } from '../application/recovery/reissues';
import { insertReissueGrant } from '../entities/recoveries/new-reissue-grant';
import { command, RecordId } from './command';
import { ownerConfig } from './config';

export const reissue = command({
  usage: '--org or-… --user <us-… or mail address>',
  options: z.strictObject({ org: RecordId, user: z.string().trim().min(1).max(320) }),
  async run({ db, codeDigest, mailContents }, { org: orgId, user }) {
    const { OWNER_DATABASE_URL: ownerUrl } = ownerConfig();
    const { grant, username, code } = await beginReissue(db, { codeDigest, mailContents }, { orgId, user });
    await insertReissueGrant(ownerUrl, grant);
    return [
      `Recovery       ${grant.id}`,
      `Administrator  ${grant.userId}  ${username}`,
      `Code           ${code}  (once, from ${grant.dateEffective.toISOString()} until ${grant.dateExpires.toISOString()})`,
      '',
      'The code is shown here and stored nowhere: hand it over in person or over a secure channel. From then on it registers new credentials on the',
      'sign-in page, with organization and mail address, and everything that the administrator had is void. Every administrator was told',
      `by mail and can stop it until it is used: DELETE /auth/recover/user/${grant.id}.`,
    ];
  },
});
