import { z } from 'zod';
import { EmptyBody } from '../../application/bodies/empty';
import { explainTransfer } from '../../application/explain/records';
import { abortRequest } from '../../application/outgoing/abort-request';
import { confirmEqual } from '../../application/outgoing/confirm-duplicate';
import { type RequestRead, readRequest, visibleRequest } from '../../application/outgoing/record-request';
import { requestReplacement } from '../../application/outgoing/request-replacement';
import { transactionView } from '../../application/outgoing/transaction-view';
import type { Services } from '../../application/services';
import type { Authority } from '../../application/user-actions/act';
import type { Caller } from '../../domain/callers';
import type { ReplacementKind, TransferForm } from '../../domain/transfers';
import type { OutgoingEntity } from '../../entities/outgoing/outgoing.entity';
import { Explanation } from '../explanation-schemas';
import { type OperationPart, operationPart } from '../operation-part';
import { outgoingDescriptions } from './outgoing-descriptions';
import { TransactionRequest } from './transactions/schemas';

type Form<P extends z.ZodType, R extends z.ZodType> = {
  readonly form: TransferForm;
  readonly params: P;
  readonly addressOf: (params: z.output<P>) => { readonly walletId: string; readonly requestId: string };
  readonly response: R;
  readonly view: (services: Services, orgId: string, row: OutgoingEntity) => Promise<z.input<R>>;
};

type CarryOut = (services: Services, authority: Authority, row: OutgoingEntity) => Promise<OutgoingEntity>;

/** The file of each operation declares its permission. */
const shared = operationPart<RequestRead, 'permission'>();

/** Transfers and transactions are rows of one table, so the rules about access to a request are stated once. */
export function outgoingOperations<P extends z.ZodType, R extends z.ZodType>({
  form,
  params,
  addressOf,
  response,
  view,
}: Form<P, R>) {
  const says = outgoingDescriptions(form);
  const visible = (caller: Caller, given: z.output<P>, read: RequestRead) => visibleRequest(caller, form, addressOf(given), read);
  const each = {
    tag: 'wallets',
    callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
    params,
    ahead: (reader, { params: given }) => {
      const { walletId, requestId } = addressOf(given);
      return readRequest(reader, walletId, requestId);
    },
  } satisfies Partial<OperationPart<P, z.ZodType, z.ZodType, z.ZodType, RequestRead>>;
  const change = { ...each, userAction: true, query: z.object({}), body: EmptyBody };
  const changed = (description: string, carryOut: CarryOut) =>
    shared({
      ...change,
      description,
      response,
      handle: async ({ params: given, authority, ahead }, services) => {
        const row = await carryOut(services, authority, visible(authority.caller, given, ahead));
        return view(services, authority.caller.orgId, row);
      },
    });
  // A caller who may not see a request may not cancel it or speed it up.
  const mustSee = [`Wallets:${form}s:Read`];
  const replacement = (description: string, kind: ReplacementKind) =>
    shared({
      ...change,
      description,
      furtherPermissionNames: mustSee,
      furtherPermissions: () => mustSee,
      response: TransactionRequest,
      handle: async ({ params: given, authority, ahead }, services) => {
        const replaced = visible(authority.caller, given, ahead);
        return transactionView(await requestReplacement(services, authority, replaced, kind));
      },
    });
  return {
    get: shared({
      ...each,
      description: says.get,
      userAction: false,
      query: z.object({}),
      body: z.unknown(),
      response,
      handle: async ({ params: given, authority: { caller }, ahead }, services) =>
        view(services, caller.orgId, visible(caller, given, ahead)),
    }),
    explain: shared({
      ...each,
      description: says.explain,
      userAction: false,
      query: z.strictObject({}),
      body: z.undefined(),
      response: Explanation,
      handle: async ({ params: given, authority: { caller }, ahead }, { db }) =>
        explainTransfer(db.read(caller.orgId), visible(caller, given, ahead)),
    }),
    abort: changed(says.abort, (services, authority, { id }) => abortRequest(services, authority, id)),
    confirm: changed(says.confirm, confirmEqual),
    cancel: replacement(says.cancel, 'Cancel'),
    speedUp: replacement(says.speedUp, 'SpeedUp'),
  };
}
