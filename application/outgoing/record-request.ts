import { networkOf } from '../../chains/networks';
import type { Caller } from '../../domain/callers';
import { AppError, invariant } from '../../domain/errors';
import type { IdKind } from '../../domain/ids';
import { JUDGED_HERE } from '../../domain/judgements';
import type { TransferForm } from '../../domain/transfers';
import type { TravelRulePayload } from '../../domain/travel-rules';
import type { Reader } from '../../entities/database';
import { organizationStore } from '../../entities/organizations/organization.store';
import { type Dispatch, outboxStore } from '../../entities/outbox/outbox.store';
import { assetOfRow } from '../../entities/outgoing/asset';
import { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { outgoingStore } from '../../entities/outgoing/outgoing.store';
import { type WalletAccess, walletStore } from '../../entities/wallets/wallet.store';
import { digestOf } from '../../platform/canonical';
import { newId } from '../../platform/ids';
import { intentDigestOf } from '../../platform/intent-digest';
import { badField } from '../request-faults';
import type { Services } from '../services';
import { keepPayload, payloadDigestOf } from '../travel-rules/payloads';
import { type Authority, act } from '../user-actions/act';
import { assertVisibleWallet, type UsableWallet } from '../wallets/wallets';
import { duplicateOf } from './duplicate-payments';
import { emitTransfer } from './events';
import { whyForgotten } from './forgotten-payments';
import { quotesNow } from './quotes';
import { startAndWait, waitForAnswer } from './start-and-wait';

const FORMS: Readonly<Record<TransferForm, { readonly id: IdKind; readonly word: string }>> = {
  Transfer: { id: 'transfer', word: 'transfer' },
  Transaction: { id: 'transaction', word: 'transaction' },
};

export type RequestBody = { readonly externalId?: string | undefined; readonly travelRule?: TravelRulePayload | undefined };

export type RequestDraft = Pick<
  OutgoingEntity,
  'form' | 'assetKind' | 'contract' | 'toAddress' | 'amountUnits' | 'priority' | 'assetSymbol' | 'assetDecimals' | 'assetVerified'
> &
  Partial<Pick<OutgoingEntity, 'terms' | 'askedNonce' | 'tokenId' | 'options' | 'feeSponsorId' | 'sponsorAddress'>> &
  RepetitionRule & { readonly body: RequestBody };

export type TransferDraft = Omit<RequestDraft, 'form' | 'body' | keyof RepetitionRule>;

/** The organisation's setting for a request that may have been sent twice (S16). */
type RepetitionRule = { readonly equalPaymentHoldMinutes: number };

/**
 * Throws `InvalidRequest` if the organisation requires an external id and the request has none. Without an external id, a
 * request that is repeated after a lost response would pay twice (S16).
 */
export async function repetitionRule(reader: Reader, orgId: string, { externalId }: RequestBody): Promise<RepetitionRule> {
  const { externalIdRequired, equalPaymentHoldMinutes } = await organizationStore.settings(reader, orgId);
  if (!externalIdRequired || externalId !== undefined) return { equalPaymentHoldMinutes };
  const message = 'is required by the settings of this organisation';
  throw badField('externalId', message);
}

/**
 * The draft that was recorded with the external id of this request. A repeated request does not read the chain again, because
 * the chain may now refuse a payment that was already made.
 */
export async function draftBefore(
  reader: Reader,
  form: TransferForm,
  { externalId }: RequestBody,
): Promise<TransferDraft | undefined> {
  const row = externalId === undefined ? undefined : await outgoingStore.findByExternalId(reader, form, externalId);
  if (!row) return undefined;
  const { assetKind, contract, tokenId, toAddress, amountUnits, priority, assetSymbol, assetDecimals, assetVerified } = row;
  const { terms, askedNonce, options, feeSponsorId, sponsorAddress } = row;
  return {
    ...{ assetKind, contract, tokenId, toAddress, amountUnits, priority, assetSymbol, assetDecimals, assetVerified },
    ...{ terms, askedNonce, options, feeSponsorId, sponsorAddress },
  };
}

type IntentDraft = Omit<RequestDraft, 'body' | keyof RepetitionRule>;

function intentOf(
  { orgId }: Caller,
  { keyId, network, address: from }: UsableWallet,
  draft: IntentDraft,
  externalId: string | undefined,
) {
  const { form, toAddress: to, amountUnits, terms } = draft;
  return {
    intentId: externalId === undefined ? undefined : `${FORMS[form].id}:${externalId}`,
    intentDigest: intentDigestOf({
      orgId,
      keyId,
      network,
      intent: {
        from,
        to,
        amountUnits,
        asset: assetOfRow({ tokenId: null, ...draft }),
        ...(terms ? { callDigest: digestOf(terms.call) } : {}),
      },
    }),
  };
}

/**
 * If an earlier request has the same `externalId`, returns the earlier request if the content is the same, and throws `Conflict`
 * if the content differs. Throws `PaidBeforeRestore` for a payment that was signed before a restore.
 */
export async function recordRequest(
  services: Services,
  authority: Authority,
  wallet: UsableWallet,
  { body: request, equalPaymentHoldMinutes: minutes, ...draft }: RequestDraft,
): Promise<OutgoingEntity> {
  const { caller } = authority;
  const { id: walletId, network } = wallet;
  const { travelRule, ...told } = request;
  const body = JSON.parse(JSON.stringify(told)) as Record<string, string>;
  const travelRuleDigest = travelRule === undefined ? null : payloadDigestOf(travelRule);
  // The digest covers the travel rule payload, so repeating the request with a different payload or without a payload is
  // refused.
  const requestDigest = digestOf({ walletId, body, ...(travelRuleDigest === null ? {} : { travelRuleDigest }) });
  const { id: idKind, word } = FORMS[draft.form];
  const id = newId(idKind);
  const summary = `${draft.form} on ${network} from wallet ${walletId}`;
  const start: Dispatch = {
    kind: 'start',
    aggregateId: id,
    dedupeKey: `start:${id}`,
    routing: { workflow: 'transfer', walletId, network, summary, ...JUDGED_HERE },
  };
  const requested = await act<OutgoingEntity, OutgoingEntity['assetQuotes']>(
    services.db,
    authority,
    async (tx, userActionId, assetQuotes = null) => {
      const equal = await duplicateOf(tx, { walletId, ...draft }, { minutes, hasExternalId: request.externalId !== undefined });
      const recorded = tx.insertOnce(OutgoingEntity, {
        ...draft,
        assetQuotes,
        ...equal,
        orgId: caller.orgId,
        id,
        walletId,
        network,
        requesterUserId: caller.userId,
        requesterTokenId: caller.tokenId,
        userActionId,
        requestBody: body,
        requestDigest,
        travelRuleDigest,
        externalId: request.externalId ?? null,
        fromAddress: wallet.address,
        feeCeilingUnits: networkOf(network).feeCeilingUnits.toString(),
        state: 'Requested',
      });
      // The three statements run as one batch, in this order.
      const paid = whyForgotten(tx, intentOf(caller, wallet, draft, request.externalId));
      const [fresh, forgotten, row] = await Promise.all([recorded, paid, outgoingStore.find(tx, id)]);
      if (!fresh) {
        const first = await outgoingStore.findByExternalId(tx, draft.form, request.externalId ?? '');
        if (first?.requestDigest === requestDigest) return first;
        throw new AppError('Conflict', `Conflicting ${word} with same externalId`, {
          ...(first ? { duplicate: { id: first.id, externalId: first.externalId } } : {}),
        });
      }
      if (forgotten) throw forgotten;
      invariant(row, 'a recorded request exists');
      if (travelRule !== undefined) await keepPayload(tx, services.travelRuleSecrets, id, travelRule);
      await emitTransfer(tx, row);
      await outboxStore.add(tx, start);
      return row;
    },
    async (tx) => (draft.form === 'Transfer' ? quotesNow(tx, network, draft) : null),
  );
  if (requested.id !== id) return waitForAnswer(services, caller.orgId, requested.id);
  return startAndWait(services, caller.orgId, id, start);
}

/** `access` contains the facts that decide which callers may see `row`. */
export type RequestRead = { readonly access: WalletAccess | undefined; readonly row: OutgoingEntity | undefined };

export async function readRequest(reader: Reader, walletId: string, requestId: string): Promise<RequestRead> {
  const [access, row] = await Promise.all([walletStore.access(reader, walletId), outgoingStore.find(reader, requestId)]);
  return { access, row };
}

/** Throws `NotFound` also for a record that has a different form, or belongs to a different wallet or organisation. */
export function visibleRequest(
  caller: Caller,
  form: TransferForm,
  { walletId, requestId }: { readonly walletId: string; readonly requestId: string },
  { access, row }: RequestRead,
): OutgoingEntity {
  assertVisibleWallet(caller, walletId, access);
  if (row?.walletId === walletId && row.form === form) return row;
  const { word } = FORMS[form];
  throw new AppError('NotFound', `${word} not found`, { walletId, [`${word}Id`]: requestId });
}
