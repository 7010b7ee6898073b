import { encodeSearchAttributeIndexedValueType } from '@temporalio/common/lib/search-attributes';
import type { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../platform/search-attributes';

type Key = (typeof SEARCH_ATTRIBUTES)[keyof typeof SEARCH_ATTRIBUTES];

/** Names with the numbers of their types, as the server's operator service reads them. */
export const typesByName = (keys: readonly Key[]): Record<string, number> =>
  Object.fromEntries(keys.map(({ name, type }) => [name, encodeSearchAttributeIndexedValueType(type) ?? 0]));

/**
 * Registers our search attributes in the namespace, because Temporal refuses a workflow start with an unknown attribute. A
 * server that does not let us list or add attributes (a hosted server with its own console) is left unchanged.
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
