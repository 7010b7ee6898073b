import { ApplicationFailure } from '@temporalio/activity';
import { credentialsOf } from '../../application/integrations/integrations';
import { AppError } from '../../domain/errors';
import type { VendorFailure } from '../../domain/integrations';
import type { Screening } from '../../domain/screenings';
import type { Database } from '../../entities/database';
import { screeningStore } from '../../entities/screenings/screening.store';
import { VendorError } from '../../vendors/failure';
import { kytAScreener } from '../../vendors/kyt-a/client';
import { kytBScreener } from '../../vendors/kyt-b/client';
import type { IntegrationDependencies } from '../integrations/integrations';

const PENDING_MS = 2_000;
/** A person must remove the cause before a retry helps. */
const FINAL: readonly VendorFailure[] = ['NotConnected', 'NotConfigured', 'Refused'];
const SCREENERS = { KytA: kytAScreener, KytB: kytBScreener } as const;

export type ScreeningRef = { readonly orgId: string; readonly screeningId: string };

/**
 * The types of the two failures with which `screen` requests a retry. The first detail of a failure states how the vendor
 * failed.
 */
const FAILED = 'VendorFailed';
const PENDING = 'VendorPending';

export function createScreeningActivities({ db, integrationSecrets, vendorUrls }: IntegrationDependencies) {
  const resultOf = async ({ orgId, screeningId }: ScreeningRef): Promise<Screening['result'] | 'Pending' | undefined> => {
    const reader = db.read(orgId);
    const row = await screeningStore.find(reader, screeningId);
    if (!row) throw new AppError('NotFound', 'screening not found', { screeningId });
    if (row.result !== null) return undefined;
    const { vendor: kind, question } = row;
    const screener = SCREENERS[kind];
    const unsupported = screener.unsupported(question);
    if (unsupported) return unsupported;
    const baseUrl = vendorUrls[kind];
    if (baseUrl === undefined) return { kind: 'VendorFailed', failure: 'NotConfigured' };
    const credentials = await credentialsOf(reader, integrationSecrets, { orgId, kind });
    if (!credentials) return { kind: 'VendorFailed', failure: 'NotConnected' };
    return screener.screen({ baseUrl, apiKey: credentials.apiKey }, { id: screeningId, question });
  };

  const failed = async ({ orgId, screeningId }: ScreeningRef, error: VendorError): Promise<Screening['result']> => {
    const { failure, retryAfterMs, unreadableReply } = error;
    if (unreadableReply !== undefined) {
      await db.withOrg(orgId, (tx) => screeningStore.keepUnreadable(tx, screeningId, unreadableReply));
    }
    if (FINAL.includes(failure)) return { kind: 'VendorFailed', failure };
    throw ApplicationFailure.create({
      type: FAILED,
      message: error.message,
      details: [failure],
      ...(retryAfterMs === undefined ? {} : { nextRetryDelay: retryAfterMs }),
    });
  };

  return {
    /** A repeated run sends the same id, and the first result is kept. */
    async screen(ref: ScreeningRef): Promise<void> {
      const result = await resultOf(ref).catch((error: unknown) => {
        if (error instanceof VendorError) return failed(ref, error);
        throw error;
      });
      if (result === undefined) return;
      if (result === 'Pending') {
        const message = 'the vendor has not finished';
        throw ApplicationFailure.create({ type: PENDING, message, details: ['TimedOut'], nextRetryDelay: PENDING_MS });
      }
      await db.withOrg(ref.orgId, (tx) => screeningStore.answer(tx, ref.screeningId, result));
    },
  };
}

export function createScreeningEndActivities({ db }: { readonly db: Database }) {
  return {
    /** A result that has arrived is kept. */
    async failScreening({ orgId, screeningId, failure }: ScreeningRef & { readonly failure: VendorFailure }): Promise<void> {
      await db.withOrg(orgId, (tx) => screeningStore.answer(tx, screeningId, { kind: 'VendorFailed', failure }));
    },
  };
}
