import { z } from 'zod';
import { listedKeyId } from '../../../application/signatures';
import { signatureView } from '../../../application/views/signatures';
import { signatureStore } from '../../../entities/signatures/signature.store';
import { operation } from '../../http/operation';
import { afterOf, PageQuery, pageOf } from '../../http/pagination';
import { SignatureRequestPage } from '../../signature-schemas';
import { KeyParams } from './schemas';

export const keysListSignatures = operation({
  id: 'keysListSignatures',
  method: 'get',
  path: '/keys/:keyId/signatures',
  tag: 'keys',
  summary: 'List the signature requests of a key, newest first',
  callers: ['CustomerEmployee', 'EndUser', 'ServiceAccount'],
  permission: 'Keys:Signatures:Read',
  userAction: false,
  params: KeyParams,
  query: PageQuery,
  body: z.unknown(),
  response: SignatureRequestPage,
  handle: async ({ params: { keyId }, query, authority: { caller } }, services) => {
    const reader = services.db.read(caller.orgId);
    const after = afterOf(query.paginationToken);
    const [, found] = await Promise.all([
      listedKeyId(reader, caller, { keyId }),
      signatureStore.page(reader, { keyId }, after, query.limit + 1),
    ]);
    const { rows, ...next } = pageOf(found, query.limit);
    return { items: rows.map(signatureView), keyId, ...next };
  },
});
