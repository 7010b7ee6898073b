import { z } from 'zod';
import { explainSignature } from '../application/explain/records';
import { getSignature, listedKeyId } from '../application/signatures/request-signature';
import { signatureView } from '../application/signatures/view';
import { type SignaturesOf, signatureStore } from '../entities/signatures/signature.store';
import { Explanation } from './explanation-schemas';
import { afterOf, PageQuery, pageOf } from './http/pagination';
import type { Tag } from './http/tags';
import { type OperationPart, operationPart } from './operation-part';
import { SignatureRequest, SignatureRequestPage } from './signature-request-schemas';

/**
 * The members in which the operations on signatures of a key and of a wallet differ. `of` turns the path parameters into the key
 * or the wallet.
 */
type Signer<P extends z.ZodType, S extends z.ZodType<{ readonly signatureId: string }>> = {
  readonly tag: Tag;
  readonly params: P;
  readonly signatureParams: S;
  readonly of: (params: z.output<P> | z.output<S>) => SignaturesOf;
};

const shared = operationPart<unknown, 'description'>();

/**
 * The operations that the areas `keys` and `wallets` share, because the two areas may not import each other. All signature
 * requests are rows of one table, so the rules about access are defined once.
 */
export function signatureOperations<P extends z.ZodType, S extends z.ZodType<{ readonly signatureId: string }>>({
  tag,
  params,
  signatureParams,
  of,
}: Signer<P, S>) {
  const read = {
    tag,
    callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
    permission: 'Keys:Signatures:Read',
    userAction: false,
  } satisfies Partial<OperationPart<P, z.ZodType, z.ZodType, z.ZodType>>;
  return {
    list: shared({
      ...read,
      params,
      query: PageQuery,
      body: z.unknown(),
      response: SignatureRequestPage,
      handle: async ({ params: given, query, authority: { caller } }, { db }) => {
        const reader = db.read(caller.orgId);
        const after = afterOf(query.paginationToken);
        const [keyId, found] = await Promise.all([
          listedKeyId(reader, caller, of(given)),
          signatureStore.page(reader, of(given), after, query.limit + 1),
        ]);
        const { rows, ...next } = pageOf(found, query.limit);
        return { items: rows.map(signatureView), keyId, ...next };
      },
    }),
    get: shared({
      ...read,
      params: signatureParams,
      query: z.object({}),
      body: z.unknown(),
      response: SignatureRequest,
      handle: async ({ params: given, authority: { caller } }, { db }) =>
        signatureView(await getSignature(db.read(caller.orgId), caller, of(given), given.signatureId)),
    }),
    explain: shared({
      ...read,
      params: signatureParams,
      query: z.strictObject({}),
      body: z.undefined(),
      response: Explanation,
      handle: async ({ params: given, authority: { caller } }, { db }) => {
        const reader = db.read(caller.orgId);
        return explainSignature(reader, await getSignature(reader, caller, of(given), given.signatureId));
      },
    }),
  };
}
