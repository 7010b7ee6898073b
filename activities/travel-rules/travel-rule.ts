import { ApplicationFailure } from '@temporalio/common';
import { credentialsOf } from '../../application/integrations/integrations';
import { readPayloads } from '../../application/travel-rules/payloads';
import { noteFailure, noteStatus, progressOf } from '../../application/travel-rules/progress';
import type { VendorFailure } from '../../domain/integrations';
import type { TransferRef } from '../../domain/transfer-steps';
import type { TravelRuleProgress } from '../../domain/travel-rules';
import type { Database } from '../../entities/database';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import type { SecretBox } from '../../platform/secret-box';
import type { VendorUrls } from '../../vendors/call';
import { VendorError } from '../../vendors/failure';
import { createTravelRuleVendor } from '../../vendors/travel-rules/client';
import type { TravelRuleMessage, TravelRuleVendor } from '../../vendors/travel-rules/port';

export type TravelRuleDependencies = {
  readonly db: Database;
  readonly integrationSecrets: SecretBox;
  readonly travelRuleSecrets: SecretBox;
  readonly vendorUrls: VendorUrls;
  /** Without this address, the vendor must already have an address for callbacks. */
  readonly publicUrl?: string | undefined;
};

export function createTravelRuleActivities(dependencies: TravelRuleDependencies) {
  const { db } = dependencies;
  return {
    /** The vendor identifies the message by our id, so a repeated submission does not create a second message. */
    async submitTravelRule({ orgId, transferId }: TransferRef, messageId: string): Promise<TravelRuleProgress> {
      const standing = await db.withOrg(orgId, (tx) => progressOf(tx, messageId));
      if (standing.state !== 'Requested') return standing;
      const end = (state: 'Invalid' | 'Failed', reason: string) =>
        db.withOrg(orgId, (tx) => noteFailure(tx, messageId, state, reason));

      const vendor = await vendorOf(dependencies, orgId);
      if (typeof vendor === 'string') return end('Failed', vendor);
      const message = await messageOf(dependencies, { orgId, transferId }, messageId);
      if (message === undefined) return end('Failed', 'PayloadLost');
      return repeatable(async () => {
        if (!(await vendor.validate(message))) return end('Invalid', 'RefusedByVendor');
        const { vendorMessageId, status } = await vendor.submit(message);
        return plain(await db.withOrg(orgId, (tx) => noteStatus(tx, messageId, status, vendorMessageId)));
      });
    },

    /** Replaces a lost callback. */
    async pollTravelRule({ orgId }: TransferRef, messageId: string): Promise<TravelRuleProgress> {
      const vendor = await vendorOf(dependencies, orgId);
      if (typeof vendor === 'string') return db.withOrg(orgId, (tx) => progressOf(tx, messageId));
      return repeatable(async () => {
        const status = await vendor.status(messageId);
        return plain(await db.withOrg(orgId, (tx) => noteStatus(tx, messageId, status)));
      });
    },
  };
}

const plain = ({ state, waitMs }: TravelRuleProgress): TravelRuleProgress => ({ state, waitMs });

async function vendorOf(
  { db, integrationSecrets, vendorUrls }: TravelRuleDependencies,
  orgId: string,
): Promise<TravelRuleVendor | VendorFailure> {
  const baseUrl = vendorUrls.TravelRule;
  if (baseUrl === undefined) return 'NotConfigured';
  const credentials = await credentialsOf(db.read(orgId), integrationSecrets, { orgId, kind: 'TravelRule' });
  return credentials === undefined ? 'NotConnected' : createTravelRuleVendor({ baseUrl, apiKey: credentials.apiKey });
}

/** Undefined if the personal data are missing or cannot be opened with the current data key. */
async function messageOf(
  { db, travelRuleSecrets, publicUrl }: TravelRuleDependencies,
  { orgId, transferId }: TransferRef,
  id: string,
): Promise<TravelRuleMessage | undefined> {
  const reader = db.read(orgId);
  const row = await outgoingStore.find(reader, transferId);
  const payload = (await readPayloads(reader, travelRuleSecrets, orgId, [transferId])).get(transferId);
  if (!row || !payload) return undefined;
  const { network, amountUnits: amount, fromAddress: from, toAddress: to } = row;
  const callback = publicUrl === undefined ? {} : { callbackUrl: new URL(callbackPathOf(orgId), publicUrl).href };
  return { id, network, asset: assetOf(row), amount, from, to, payload, ...callback };
}

const callbackPathOf = (orgId: string): string => `/integrations/travel-rule/callbacks/${orgId}`;

const assetOf = ({ assetKind: kind, contract, assetSymbol: symbol, assetDecimals: decimals }: OutgoingEntity) => ({
  kind,
  ...(contract === null ? {} : { contract }),
  ...(symbol === null ? {} : { symbol }),
  ...(decimals === null ? {} : { decimals }),
});

/** Lets Temporal retry the call to a failing vendor until the workflow's time limit. The vendor's reply may set the interval. */
async function repeatable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    const { failure, retryAfterMs } = error;
    // The cause is left out, because the error contains a part of the reply and the reply may repeat sent names.
    throw ApplicationFailure.create({
      type: failure,
      message: error.message,
      ...(retryAfterMs === undefined ? {} : { nextRetryDelay: retryAfterMs }),
    });
  }
}
