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
      'The code is shown only here: hand it over in person or over a secure channel. Within the time above, enter the code with the organization id',
      'and the mail address on the sign-in page to register new credentials; the earlier credentials then stop working. Every administrator was',
      `notified by mail and can stop the recovery until the code is used: DELETE /auth/recover/user/${grant.id}.`,
    ];
  },
});
