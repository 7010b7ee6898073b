import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes';
import type { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../platform/search-attributes';

type Key = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES];

/** Maps the name of each attribute to the number of its type, as the server's operator service requires. */
export const typesByName = (keys: readonly Key[]): Record<string, number> =>
  Object.fromEntries(keys.map(({ name, type }) => [name, encodeSearchAttributeIndexedValueType(type) ?? 0]));

/**
 * Adds the attributes that the namespace lacks, and returns their names. Temporal refuses a workflow start with an unknown
 * attribute. Throws on a hosted server whose API refuses to list or add attributes: there a person adds the attributes in the
 * server's console.
 */
export async function registerSearchAttributes(
  { operatorService }: NativeConnection,
  namespace: string,
): Promise<readonly string[]> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.values(SEARCH_ATTRIBUTES).filter(({ name }) => customAttributes?.[name] === undefined);
  if (missing.length > 0) {
    await operatorService.addSearchAttributes({ namespace, searchAttributes: typesByName(missing) });
  }
  return missing.map(({ name }) => name);
}
