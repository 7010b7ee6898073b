import { assertKeyRequestCaused } from '../../application/causes/key-request-cause';
import { UnprovenRequest } from '../../application/causes/refused';
import { assertSignatureCaused } from '../../application/causes/signature-cause';
import { assertTransferCaused } from '../../application/causes/transfer-cause';
import type { KeyRequestQuestion } from '../../domain/key-requests';
import type { Reader } from '../../entities/database';
import type { KeyRequestEntity } from '../../entities/keys/key-request.entity';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import type { SignatureEntity } from '../../entities/signatures/signature.entity';
import type { SecretBox } from '../../platform/secret-box';
import { assertMakesNonceAccounts } from './solana/nonce-accounts';

export const CAUSED_TABLES = ['transfers', 'signatures', 'key_requests'] as const;
export type CausedTable = (typeof CAUSED_TABLES)[number];

export type CauseObserver = {
  /** Called if no signed user action covers the request. */
  readonly refused: (table: CausedTable, ref: { readonly orgId: string; readonly id: string }, reason: string) => void;
  /**
   * Called if an earlier release of the service wrote the request without signed texts. Only the digest of the request's body is
   * then checked.
   */
  readonly earlier: (table: CausedTable, ref: { readonly orgId: string; readonly id: string }) => void;
};

/** A failed check raises the alarm and returns the reason why the request must not be executed. */
export type Causes = {
  readonly ofTransfer: (reader: Reader, row: OutgoingEntity) => Promise<string | undefined>;
  readonly ofSignature: (reader: Reader, row: SignatureEntity) => Promise<string | undefined>;
  readonly ofKeyRequest: (reader: Reader, row: KeyRequestEntity, question: KeyRequestQuestion) => Promise<string | undefined>;
};

export function createCauses(signedBodies: SecretBox, observer: CauseObserver): Causes {
  const check = async (
    table: CausedTable,
    { orgId, id }: { readonly orgId: string; readonly id: string },
    assert: () => Promise<{ readonly isEarlier: boolean } | undefined>,
  ): Promise<string | undefined> => {
    try {
      if ((await assert())?.isEarlier) observer.earlier(table, { orgId, id });
      return undefined;
    } catch (error) {
      if (!(error instanceof UnprovenRequest)) throw error;
      observer.refused(table, { orgId, id }, error.reason);
      return error.reason;
    }
  };
  return {
    ofTransfer: (reader, row) =>
      check('transfers', row, async () => {
        const caused = await assertTransferCaused(reader, signedBodies, row);
        assertMakesNonceAccounts(row);
        return caused;
      }),
    ofSignature: (reader, row) => check('signatures', row, () => assertSignatureCaused(reader, signedBodies, row)),
    ofKeyRequest: (reader, row, question) =>
      check('key_requests', row, async () => {
        await assertKeyRequestCaused(reader, signedBodies, row, question);
        return undefined;
      }),
  };
}

/** The reason that the request shows. The text does not blame the caller, who may have done nothing wrong. */
export const unprovenWords = (reason: string): string =>
  `No signed user action covers this request (${reason}): nothing was signed, and the operator has been alerted`;
