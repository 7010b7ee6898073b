import { z } from 'zod';
import { canonical } from '../../../platform/canonical';
import { parseStrictJson } from '../../../platform/strict-json';
import { hashTypedData } from '../payloads/typed-data';
import { assertAsked } from './signed-body';

const Fields = z.array(z.strictObject({ name: z.string().max(128), type: z.string().max(128) }));

/** The body does not name a primary type, because the primary type is the only type that no other type names. */
export const WRITTEN_TYPED_DATA = {
  kind: z.literal('Eip712'),
  types: z.record(z.string(), Fields),
  domain: z.strictObject({
    name: z.string().optional(),
    version: z.string().optional(),
    chainId: z.union([z.int().positive(), z.string().regex(/^[0-9]{1,78}$/)]).optional(),
    verifyingContract: z.string().max(42).optional(),
    salt: z.string().max(66).optional(),
  }),
  message: z.record(z.string(), z.unknown()),
};
const Written = z.object({
  types: WRITTEN_TYPED_DATA.types,
  domain: WRITTEN_TYPED_DATA.domain,
  message: WRITTEN_TYPED_DATA.message,
});
export type WrittenTypedData = z.infer<typeof Written>;

/** The service adds the primary type and the type of the domain. The digest covers both. */
function plain({ types, domain, message }: WrittenTypedData): string {
  const { EIP712Domain: _added, ...structs } = types;
  return canonical(JSON.parse(JSON.stringify({ types: structs, domain, message })));
}

/** Throws a `Refusal` unless the text contains the members of the body, and has exactly the digest that the body requests. */
export function assertTypedData(text: string, asked: WrittenTypedData): void {
  const json = parseStrictJson(Buffer.from(text, 'utf8'));
  assertAsked(json.ok);
  assertAsked(plain(Written.parse(json.value)) === plain(asked));
  const { types, domain, message } = asked;
  const requested = hashTypedData(JSON.stringify({ types, domain, message })).digest;
  assertAsked(Buffer.from(hashTypedData(text).digest).equals(requested));
}
