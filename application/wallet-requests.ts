import { networkOf } from '../chains/networks';
import type { Caller } from '../domain/callers';
import { AppError } from '../domain/errors';
import type { IdKind } from '../domain/ids';
import { JUDGED_HERE } from '../domain/judgements';
import { isAnswerable, type TransferForm } from '../domain/transfers';
import type { TravelRulePayload } from '../domain/travel-rules';
import type { Reader } from '../entities/database';
import { organizationStore } from '../entities/organizations/organization.store';
import { type Dispatch, outboxStore } from '../entities/outbox/outbox.store';
import { assetOf } from '../entities/transfers/asset';
import { TransferEntity } from '../entities/transfers/transfer.entity';
import { transferStore } from '../entities/transfers/transfer.store';
import { type WalletAccess, walletStore } from '../entities/wallets/wallet.store';
import { digestOf } from '../platform/canonical';
import { newId } from '../platform/ids';
import { intentDigestOf } from '../platform/intent-digest';
import { type Authority, act } from './authority';
import { equalPayment } from './equal-payments';
import { assertNotForgotten } from './forgotten-payments';
import type { Services } from './services';
import { emitTransfer } from './transfer-events';
import { keepPayload, payloadDigestOf } from './travel-rule-payloads';
import { assertVisibleWallet, type UsableWallet } from './wallets';

/** How long the POST waits for a request that nobody holds to be on its way. */
export const TRANSFER_ANSWER_LIMIT_MS = 15_000;

/** What a form is called: its ids, and its words for people. */
const FORMS: Readonly<Record<TransferForm, { readonly id: IdKind; readonly word: string }>> = {
  Transfer: { id: 'transfer', word: 'transfer' },
  Transaction: { id: 'transaction', word: 'transaction' },
};

type Body = { readonly externalId?: string | undefined; readonly travelRule?: TravelRulePayload | undefined };

/** What differs between a transfer and a raw transaction; the rest of the row is the same for both. */
export type RequestDraft = Pick<
  TransferEntity,
  'form' | 'assetKind' | 'contract' | 'toAddress' | 'amountUnits' | 'priority' | 'assetSymbol' | 'assetDecimals' | 'assetVerified'
> &
  Partial<Pick<TransferEntity, 'terms' | 'askedNonce' | 'tokenId' | 'options' | 'feeSponsorId' | 'sponsorAddress'>> &
  RepetitionRule & { readonly body: Body };

export type TransferDraft = Omit<RequestDraft, 'form' | 'body' | keyof RepetitionRule>;

/** What the organisation does about a request that may have been sent twice (S16). */
type RepetitionRule = { readonly equalPaymentHoldMinutes: number };

/** `InvalidRequest` without an external id where the organisation requires one: a request sent again after a lost answer would pay twice (S16). */
export async function repetitionRule(reader: Reader, orgId: string, { externalId }: Body): Promise<RepetitionRule> {
  const { externalIdRequired, equalPaymentHoldMinutes } = await organizationStore.settings(reader, orgId);
  if (!externalIdRequired || externalId !== undefined) return { equalPaymentHoldMinutes };
  const message = 'is required by the settings of this organization';
  throw new AppError('InvalidRequest', `body.externalId ${message}`, { issues: [{ path: 'body.externalId', message }] });
}

/**
 * What was recorded under the external id of this request; undefined for a new one. What is asked again is answered from its row: the chain may
 * refuse by now what the first request has paid or whose nonce it has.
 */
export async function draftBefore(reader: Reader, form: TransferForm, { externalId }: Body): Promise<TransferDraft | undefined> {
  const row = externalId === undefined ? undefined : await transferStore.findByExternalId(reader, form, externalId);
  if (!row) return undefined;
  const { assetKind, contract, tokenId, toAddress, amountUnits, priority, assetSymbol, assetDecimals, assetVerified } = row;
  const { terms, askedNonce, options, feeSponsorId, sponsorAddress } = row;
  return {
    ...{ assetKind, contract, tokenId, toAddress, amountUnits, priority, assetSymbol, assetDecimals, assetVerified },
    ...{ terms, askedNonce, options, feeSponsorId, sponsorAddress },
  };
}

/**
 * Records what a wallet is asked to do, starts its workflow and answers when it is held, on its way or ended (behaviour.md (p) 9).
 * The same `externalId` with the same request answers the first one of its form; with another request it is a `Conflict`.
 */
export async function recordRequest(
  services: Services,
  authority: Authority,
  wallet: UsableWallet,
  { body: request, equalPaymentHoldMinutes: minutes, ...draft }: RequestDraft,
): Promise<TransferEntity> {
  const { caller } = authority;
  const { id: walletId, network } = wallet;
  const { travelRule, ...told } = request;
  const body = JSON.parse(JSON.stringify(told)) as Record<string, string>;
  const travelRuleDigest = travelRule === undefined ? null : payloadDigestOf(travelRule);
  // What was asked without the payload is another request than what was asked with it, and so is one with other people in it.
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
  const requested = await act(services.db, authority, async (tx, userActionId) => {
    const equal = await equalPayment(tx, { walletId, ...draft }, { minutes, hasExternalId: request.externalId !== undefined });
    const fresh = await tx.insertOnce(TransferEntity, {
      ...draft,
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
    if (!fresh) {
      const first = await transferStore.findByExternalId(tx, draft.form, request.externalId ?? '');
      if (first?.requestDigest === requestDigest) return first;
      throw new AppError('Conflict', `Conflicting ${word} with same externalId`, {
        ...(first ? { duplicate: { id: first.id, externalId: first.externalId } } : {}),
      });
    }
    if (travelRule !== undefined) await keepPayload(tx, services.travelRuleSecrets, id, travelRule);
    const { toAddress: to, amountUnits, terms } = draft;
    await assertNotForgotten(tx, {
      intentId: request.externalId === undefined ? undefined : `${FORMS[draft.form].id}:${request.externalId}`,
      intentDigest: intentDigestOf({
        orgId: caller.orgId,
        keyId: wallet.keyId,
        network,
        intent: {
          from: wallet.address,
          to,
          amountUnits,
          asset: assetOf({ tokenId: null, ...draft }),
          ...(terms ? { callDigest: digestOf(terms.call) } : {}),
        },
      }),
    });
    const row = await transferStore.lock(tx, id);
    await emitTransfer(tx, row);
    await outboxStore.add(tx, start);
    return row;
  });
  if (requested.id === id) void services.dispatcher.tryNow(caller.orgId, start);

  const read = async () => (await transferStore.find(services.db.read(caller.orgId), requested.id)) ?? requested;
  return services.changes.waitFor(requested.id, read, isAnswerable, TRANSFER_ANSWER_LIMIT_MS);
}

/** A transfer or transaction with what decides who may see it. */
export type RequestRead = { readonly access: WalletAccess | undefined; readonly row: TransferEntity | undefined };

export async function readRequest(reader: Reader, walletId: string, requestId: string): Promise<RequestRead> {
  const [access, row] = await Promise.all([walletStore.access(reader, walletId), transferStore.find(reader, requestId)]);
  return { access, row };
}

/** The record of this form and wallet; `NotFound` also for one of another form, wallet or organisation. */
export function visibleRequest(
  caller: Caller,
  form: TransferForm,
  { walletId, requestId }: { readonly walletId: string; readonly requestId: string },
  { access, row }: RequestRead,
): TransferEntity {
  assertVisibleWallet(caller, walletId, access);
  if (row?.walletId === walletId && row.form === form) return row;
  const { word } = FORMS[form];
  throw new AppError('NotFound', `${word} not found`, { walletId, [`${word}Id`]: requestId });
}
