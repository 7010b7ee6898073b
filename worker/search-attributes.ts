import { temporal } from '@temporalio/proto';
import type { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES } from '../platform/search-attributes';

const { INDEXED_VALUE_TYPE_KEYWORD } = temporal.api.enums.v1.IndexedValueType;

/**
 * Makes sure that the namespace knows our search attributes, since a start that names an unknown one is refused. A server
 * that does not let us look or add (a hosted one, with its own console) is left alone.
 */
export async function registerSearchAttributes(
  { operatorService }: NativeConnection,
  namespace: string,
): Promise<readonly string[]> {
  const names = Object.values(SEARCH_ATTRIBUTES).map(({ name }) => name);
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = names.filter((name) => customAttributes?.[name] === undefined);
  if (missing.length > 0) {
    const searchAttributes = Object.fromEntries(missing.map((name) => [name, INDEXED_VALUE_TYPE_KEYWORD]));
    await operatorService.addSearchAttributes({ namespace, searchAttributes });
  }
  return missing;
}
