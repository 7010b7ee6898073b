type Value = string | boolean | readonly Value[] | { readonly [name: string]: Value };

/**
 * A decoded log, or a note that a block contains more logs than are recorded. `args` is absent if it is too large. `omitted` is
 * the number of logs that were not decoded.
 */
export type ContractEventData =
  | {
      readonly kind: 'ContractEvent';
      readonly contract: string;
      readonly signature: string;
      readonly standard?: string;
      readonly args?: Readonly<Record<string, Value>>;
    }
  | { readonly kind: 'OmittedEvents'; readonly contract?: string; readonly omitted: number };

/** The name of the event that represents the logs that were not decoded. */
export const OMITTED_EVENTS = 'OmittedEvents';
