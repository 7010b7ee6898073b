import { endAmendment } from '../../application/amendments/end-amendment';
import { AMENDMENTS, REMOVAL_KINDS } from '../../domain/amendments';
import { AppError } from '../../domain/errors';
import { type AmendmentEnd, type AmendmentRecord, amendmentStore } from '../../entities/charters/amendment.store';
import { charterStore } from '../../entities/charters/charter.store';
import type { Database, Reader } from '../../entities/database';
import { keyStore } from '../../entities/keys/key.store';
import type { Logger } from '../../platform/logger';
import type { SecretBox } from '../../platform/secret-box';
import type { SignerClient } from '../../signer/protocol';
import { evidenceOf } from '../signatures/order-evidence';

type Dependencies = {
  readonly db: Database;
  readonly signer: Pick<SignerClient, 'amendCharter'>;
  readonly signedBodies: SecretBox;
  readonly logger: Pick<Logger, 'warn'>;
};
type Order = Parameters<SignerClient['amendCharter']>[0];

/** The reason for a refusal: the rows refer to an action or a vote that no person signed. */
const NOT_SIGNED = 'NotSigned';
/** Reasons that the signer itself returns. */
const NOT_PERMITTED = 'NotPermitted';
const TOO_MANY = 'AmendmentsTooMany';
const isTooMany = (error: unknown): boolean => error instanceof AppError && error.details['reason'] === TOO_MANY;

export function createAmendmentActivities({ db, signer, signedBodies, logger }: Dependencies) {
  const offer = async (row: AmendmentRecord, evidence: Order['evidence']): Promise<AmendmentEnd> => {
    // The signer judges whether the row has the form of its kind, because the row may be forged.
    const amendment = { ...row.given, kind: row.kind } as Order['amendment'];
    try {
      const head = await signer.amendCharter({ orgId: row.orgId, amendmentId: row.id, amendment, evidence });
      return { status: 'InForce', ...head };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'SignerRefused') throw error;
      return { status: 'Refused', reason: String(error.details['reason']) };
    }
  };

  const endOf = async (reader: Reader, row: AmendmentRecord): Promise<AmendmentEnd> => {
    // Only the operator may change this charter in this way. The amendment is not sent to the signer, because each refusal would
    // raise an alarm.
    const isOfOperator =
      AMENDMENTS[row.kind].permissions.length > 0 &&
      (await charterStore.lacks(reader, row.kind)) &&
      !(await isOfEndUser(reader, row));
    if (isOfOperator) return { status: 'Refused', reason: NOT_PERMITTED };
    const evidence = await evidenceFor(reader, row, signedBodies);
    return evidence ? offer(row, evidence) : { status: 'Refused', reason: NOT_SIGNED };
  };

  /** If the signer's limit per hour delays the first amendment, the first waiting removal is offered instead. */
  const nextEnd = async (reader: Reader, first: AmendmentRecord) => {
    try {
      return { row: first, end: await endOf(reader, first) };
    } catch (error) {
      const [removal] = isTooMany(error) ? await amendmentStore.waiting(reader, 1, REMOVAL_KINDS) : [];
      if (!removal || removal.id === first.id) throw error;
      return { row: removal, end: await endOf(reader, removal) };
    }
  };

  return {
    /**
     * Offers the first waiting amendment to the signer, and ends the amendment with the signer's answer. The signer gives the
     * same answer to an amendment that is offered twice. Throws `SignerUnavailable` while the signer accepts no more amendments;
     * a later retry can succeed.
     */
    async offerAmendment({ orgId }: { readonly orgId: string }): Promise<'InForce' | 'Refused' | 'NoneWaits'> {
      const reader = db.read(orgId);
      const [first] = await amendmentStore.waiting(reader, 1);
      if (!first) return 'NoneWaits';
      const { row, end } = await nextEnd(reader, first);
      await db.withOrg(orgId, (tx) => endAmendment(tx, row.id, end));
      if (end.status === 'Refused')
        logger.warn(
          { orgId, recordId: row.id, reason: end.reason },
          'a change by members is in force in the service but not at the signer',
        );
      return end.status;
    },
  };
}

/** Whether an end user holds the key of the new wallet. Such a wallet does not change a charter. */
async function isOfEndUser(reader: Reader, { kind, given }: AmendmentRecord): Promise<boolean> {
  const keyId = kind === 'createWallet' ? given['keyId'] : undefined;
  const key = typeof keyId === 'string' ? await keyStore.find(reader, keyId) : undefined;
  return key !== undefined && key.delegatedTo !== null;
}

/** Undefined if the rows are broken, so that a forged row does not hold up the later amendments. */
async function evidenceFor(
  reader: Reader,
  row: AmendmentRecord,
  signedBodies: SecretBox,
): Promise<Order['evidence'] | undefined> {
  try {
    return await evidenceOf(reader, signedBodies, row);
  } catch (error) {
    if (error instanceof AppError && error.code === 'Internal') return undefined;
    throw error;
  }
}
