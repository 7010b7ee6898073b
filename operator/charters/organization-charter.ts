import { type OrganizationNow, organizationNow } from '../../application/charters/organization-now';
import { isAmendment } from '../../domain/amendments';
import { openStrongroomDatabase } from '../../entities/data-source';
import {
  CHARTER_CODE,
  type Charter,
  type CharterEndUsers,
  type CharterLimit,
  type CharterOnRecord,
  type CharterSeen,
  signerIdOf,
} from '../../signer/wire/operator-api';
import { draftCharter } from './draft-charter';

type Places = { readonly url: string; readonly stateDir: string };
type Drafted = {
  readonly text: string;
  readonly charter: Charter;
  readonly inForce: CharterOnRecord | undefined;
  readonly now: OrganizationNow;
};

type Wanted = {
  readonly limits?: readonly CharterLimit[] | undefined;
  readonly seen?: CharterSeen | null | undefined;
  readonly mainnets?: readonly string[] | undefined;
  /** If absent, the setting of the charter in force stays. */
  readonly membersAmend?: boolean | undefined;
  /** Null if no key may be exported. If absent, the value of the charter in force stays. */
  readonly exportWaitHours?: number | null | undefined;
  /** Null if the signer does not sign for end users. If absent, the value of the charter in force stays. */
  readonly endUsers?: CharterEndUsers | null | undefined;
};

/** The charter in force according to the signer's journal, and a draft of the next charter from the database. */
export async function organizationCharter(
  { url, stateDir }: Places,
  orgId: string,
  { membersAmend, exportWaitHours, endUsers: serving, ...wanted }: Wanted = {},
): Promise<Drafted> {
  const inForce = (await CHARTER_CODE.adopted(stateDir)).get(orgId);
  const signerId = signerIdOf(stateDir);
  if (signerId === undefined) throw new Error(`${stateDir} has no share-keys.json of a signer`);
  const db = await openStrongroomDatabase({ url, poolMax: 1, applicationName: 'strongroom-operator' });
  try {
    const waitHours = exportWaitHours === undefined ? inForce?.charter.exports?.waitHours : (exportWaitHours ?? undefined);
    const endUsers = serving === undefined ? inForce?.charter.endUsers : (serving ?? undefined);
    const servesEndUsers = endUsers !== undefined;
    const allowing = { membersAmend: membersAmend ?? lets(inForce), keysLeave: waitHours !== undefined, servesEndUsers };
    const now = await organizationNow(db, orgId, allowing);
    return { ...draftCharter(now, { signerId, orgId, inForce, waitHours, endUsers, ...wanted }, new Date()), inForce, now };
  } finally {
    await db.close();
  }
}

/** Whether members may change this charter themselves. */
const lets = (inForce: CharterOnRecord | undefined): boolean =>
  inForce?.charter.members.some(({ credentials }) => credentials.some(({ operations }) => operations.some(isAmendment))) ?? false;
